import { chmod, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tighten } from '../../src/files/mode.ts'
import { append, load, openStore, save, signal } from '../json/folder.ts'
import { sessionId } from '../json/session-id.ts'
import { folderWith } from '../support/folders/folder.ts'
import { text, user } from '../support/messages/messages.ts'

const modes = (...paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o777))

it('restricts an open folder and file when writing, but not when reading', async () => {
  const folder = await folderWith()
  const path = await save(folder, [user(text('one'))])
  await chmod(folder, 0o777)
  await chmod(path, 0o666)
  await load(folder)
  expect(await modes(folder, path)).toStrictEqual([0o777, 0o666])
  await append(folder, user(text('two')))
  expect(await modes(folder, path)).toStrictEqual([0o700, 0o600])
})

it('restricts an open folder before a session begins in it', async () => {
  const folder = join(await folderWith(), 'sessions')
  await mkdir(folder)
  await chmod(folder, 0o777)
  const session = { id: sessionId(), systemPrompt: '', createdAt: '2026-02-18T12:00:00.000Z' }
  const log = await openStore(folder).create(session, { signal })
  await log.close()
  expect(await modes(folder)).toStrictEqual([0o700])
})

it('leaves a missing path alone', async () => {
  expect(tighten(join(await folderWith(), 'nothing'), 0o600)).toBe('private')
})

it.skipIf(process.platform !== 'linux')('says that a path stays open', () => {
  // A system file that no user may change.
  expect(tighten('/proc/self/status', 0o600)).toBe('open')
})
