import { execFileSync } from 'node:child_process'
import { chmod, lstat, mkdir, readdir, readFile, readlink, stat, symlink } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeAtomically } from '../../src/files/atomic.ts'
import { type Folder, temporaryFolder } from './folder.ts'

let folder: Folder
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => folder.remove())

const bytes = (text: string) => new TextEncoder().encode(text)
const mode = async (path: string) => ((await stat(path)).mode & 0o7777).toString(8)

it('writes a new file and the folders it needs, with the mode the umask leaves', async () => {
  const path = folder.at('a/b/c.txt')
  await writeAtomically(path, bytes('new'))
  expect(await readFile(path, 'utf8')).toBe('new')
  expect(await mode(path)).toBe((0o666 & ~process.umask()).toString(8))
  expect(await readdir(folder.at('a/b'))).toEqual(['c.txt'])
})

it('gives a file the mode that is asked for, whatever the umask or the old mode', async () => {
  const path = await folder.put('secret', 'old')
  await chmod(path, 0o666)
  await writeAtomically(path, bytes('new'), { mode: 0o600 })
  expect(await mode(path)).toBe('600')
})

it.each([0o755, 0o444, 0o2755])('keeps mode %o', async (old) => {
  const path = await folder.put('tool', 'old')
  await chmod(path, old)
  await writeAtomically(path, bytes('new'))
  expect([await readFile(path, 'utf8'), await mode(path)]).toEqual(['new', old.toString(8)])
})

it('writes through a symlink, relative and absolute, and through one that points to nothing yet', async () => {
  await folder.put('real/target', 'old')
  await mkdir(folder.at('links'))
  await symlink('../real/target', folder.at('links/relative'))
  await symlink(folder.at('links/relative'), folder.at('absolute'))
  await symlink('real/not-yet', folder.at('dangling'))
  await writeAtomically(folder.at('absolute'), bytes('new'))
  await writeAtomically(folder.at('dangling'), bytes('made'))
  expect(await readFile(folder.at('real/target'), 'utf8')).toBe('new')
  expect(await readFile(folder.at('real/not-yet'), 'utf8')).toBe('made')
  expect(await readlink(folder.at('links/relative'))).toBe('../real/target')
  expect((await lstat(folder.at('dangling'))).isSymbolicLink()).toBe(true)
})

it('refuses symlinks in a circle, a folder and a FIFO, and leaves no draft behind', async () => {
  await symlink('two', folder.at('one'))
  await symlink('one', folder.at('two'))
  await mkdir(folder.at('folder'))
  execFileSync('mkfifo', [folder.at('fifo')])
  for (const name of ['one', 'folder', 'fifo']) {
    await expect(writeAtomically(folder.at(name), bytes(''))).rejects.toMatchObject({ code: 'invalid' })
  }
  expect(await readdir(folder.root)).toEqual(['fifo', 'folder', 'one', 'two'])
})

it('names the path and the reason where the system refuses', async () => {
  const file = await folder.put('file')
  await expect(writeAtomically(`${file}/below`, bytes(''))).rejects.toMatchObject({
    message: `cannot write ${file}/below: a part of the path is a file, not a folder`,
    details: { path: `${file}/below`, reason: 'ENOTDIR' },
  })
})

it('a reader sees the old content or the new, never a part of one', async () => {
  const path = folder.at('file')
  const contents = ['a', 'b'].map((letter) => letter.repeat(300_000))
  await writeAtomically(path, bytes(contents[0] ?? ''))
  let writing = true
  const writer = (async () => {
    for (let i = 0; i < 30; i++) await writeAtomically(path, bytes(contents[i % 2] ?? ''))
    writing = false
  })()
  while (writing) expect(contents).toContain(await readFile(path, 'utf8'))
  await writer
})
