import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { deleteStoredFiles, leftoversOf, listStoredFiles } from '../../src/json/stored-files.ts'
import { stillClock } from '../support/clocks/still-clock.ts'
import { folderWith } from '../support/folders/folder.ts'
import { text, user } from '../support/messages/messages.ts'
import { thrown } from '../support/thrown.ts'
import { append, save, signal } from './folder.ts'
import { sessionId } from './session-id.ts'

const torn = '.torn-20260218T120000.000Z'
const id = sessionId('ann')

const writerIn = (directory: string) => ({
  directory,
  clock: stillClock(),
  pid: process.pid,
  host: hostname(),
})

it('lists what a session keeps by its id, which may itself end like a file', async () => {
  const folder = await folderWith()
  const names = [
    'ann.json',
    `ann${torn}`,
    'ann.json.json',
    'ann.json.lock',
    'ann.lock.draft',
    'b.torn-x',
    'notes.txt',
  ]
  for (const name of names) await writeFile(join(folder, name), '')
  await mkdir(join(folder, 'gone.blobs'))
  const stored = listStoredFiles(folder)
  expect([...stored]).toEqual([
    ['ann', ['ann.json', `ann${torn}`]],
    ['ann.json', ['ann.json.json', 'ann.json.lock']],
    ['gone', ['gone.blobs']],
  ])
  expect([...stored].flatMap(([one, all]) => leftoversOf(one, all))).toEqual([
    `ann${torn}`,
    'ann.json.lock',
    'gone.blobs',
  ])
})

it('keeps a session that was continued, or begun, since its files were listed', async () => {
  const folder = await folderWith()
  await save(folder, [user(text('hello'))], id)
  await append(folder, user(text('more')), id)
  await mkdir(join(folder, 'ann.blobs'))
  const writer = writerIn(folder)
  const changed = { code: 'conflict', message: 'session ann was changed in the meantime' }
  const whole = { id, names: ['ann.blobs', 'ann.json'], size: 3 }
  expect(await thrown(() => deleteStoredFiles(whole, writer, signal))).toMatchObject(changed)
  const leftover = { id, names: ['ann.blobs'] }
  expect(await thrown(() => deleteStoredFiles(leftover, writer, signal))).toMatchObject(changed)
  expect((await readdir(folder)).sort()).toEqual(['ann.blobs', 'ann.json'])
  await deleteStoredFiles({ id, names: ['ann.blobs', 'ann.json'] }, writer, signal)
  expect(await readdir(folder)).toEqual([])
})
