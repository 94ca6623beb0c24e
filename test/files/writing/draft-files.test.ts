import { spawn } from 'node:child_process'
import { mkdir, readdir, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { processMark } from '../../../src/files/lock/process-mark.ts'
import { writeAtomically } from '../../../src/files/writing/atomic.ts'
import { type Folder, temporaryFolder } from '../folder.ts'

let folder: Folder
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => folder.remove())

const write = (name: string) => writeAtomically(folder.at(name), Buffer.from('new'))
const drafts = async () => (await readdir(folder.at('.pipe-drafts')).catch(() => [])).sort()
const mark = processMark()
const [pid, start, boot, namespace] = mark.split('-')
const dead = `999999999-${start}-${boot}-${namespace}-a`

it('removes the draft of a killed process on the next write in that folder', async () => {
  const outfile = folder.at('writer.mjs')
  const entry = join(import.meta.dirname, 'endless-writer.ts')
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm' })
  for (let left = 0; left === 0; left = (await drafts()).length) {
    const child = spawn(process.execPath, [outfile, folder.at('large')])
    onTestFinished(() => void child.kill('SIGKILL'))
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await expect.poll(drafts, { interval: 1 }).not.toEqual([])
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
  await write('other')
  expect((await readdir(folder.root)).sort()).toEqual(['large', 'other', 'writer.mjs'])
})

it('keeps the drafts of others and files that are not drafts', async () => {
  const alive = `${mark}a`
  const elsewhere = `1-2-00000000-3-a`
  for (const name of [alive, dead, elsewhere, 'notes', '12', 'a-1-2'])
    await folder.put(`.pipe-drafts/${name}`, '')
  await write('file')
  expect(await drafts()).toEqual([alive, elsewhere, 'notes', '12', 'a-1-2'].sort())
})

it('removes drafts of another container or machine after 10 minutes', async () => {
  const elsewhere = `${pid}-${start}-${boot}-3-a`
  await folder.put(`.pipe-drafts/${elsewhere}`, '')
  const aged = async (minutes: number) => {
    const then = Date.now() / 1_000 - minutes * 60
    await utimes(folder.at(`.pipe-drafts/${elsewhere}`), then, then)
    await write('file')
    return drafts()
  }
  expect(await aged(9)).toEqual([elsewhere])
  expect(await aged(11)).toEqual([])
  expect(await readdir(folder.root)).toEqual(['file'])
})

it('does not follow a link in place of the drafts folder, and copes with a file there', async () => {
  await mkdir(folder.at('elsewhere'))
  await folder.put(`elsewhere/${dead}`, '')
  await symlink('elsewhere', folder.at('.pipe-drafts'))
  await folder.put('sub/.pipe-drafts', '')
  await write('file')
  await write('sub/file')
  expect(await readdir(folder.at('elsewhere'))).toEqual([dead])
  expect((await readdir(folder.root)).sort()).toEqual(['.pipe-drafts', 'elsewhere', 'file', 'sub'])
  expect((await readdir(folder.at('sub'))).sort()).toEqual(['.pipe-drafts', 'file'])
})

it('keeps many concurrent writes in one folder apart', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `file-${i}`).sort()
  await Promise.all(names.map(write))
  expect((await readdir(folder.root)).sort()).toEqual(names)
})
