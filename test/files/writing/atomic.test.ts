import { execFileSync } from 'node:child_process'
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeAtomically } from '../../../src/files/writing/atomic.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { mount, mountSmallDisk } from '../../support/folders/mount.ts'
import { type Folder, temporaryFolder } from '../folder.ts'

let folder: Folder
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => folder.remove())

const bytes = (text: string) => new TextEncoder().encode(text)
const mode = async (path: string) => ((await stat(path)).mode & 0o7777).toString(8)

it('writes a new file and the folders it needs, with the mode that the umask leaves', async () => {
  const path = folder.at('a/b/c.txt')
  await writeAtomically(path, bytes('new'))
  expect(await readFile(path, 'utf8')).toBe('new')
  expect(await mode(path)).toBe((0o666 & ~process.umask()).toString(8))
  expect(await readdir(folder.at('a/b'))).toEqual(['c.txt'])
})

it('sets the requested mode, whatever the umask or the old mode', async () => {
  const path = await folder.put('secret', 'old')
  await chmod(path, 0o666)
  await writeAtomically(path, bytes('new'), { mode: 0o600 })
  expect(await mode(path)).toBe('600')
})

it.each([0o755, 0o640, 0o2755, 0o4711])('TOOL-317: keeps mode %o', async (old) => {
  const path = await folder.put('tool', 'old')
  await chmod(path, old)
  await writeAtomically(path, bytes('new'))
  expect([await readFile(path, 'utf8'), await mode(path)]).toEqual(['new', old.toString(8)])
})

it('writes through relative, absolute and dangling symlinks', async () => {
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

it('refuses a symlink loop, a folder and a FIFO, and leaves no draft behind', async () => {
  await symlink('two', folder.at('one'))
  await symlink('one', folder.at('two'))
  await mkdir(folder.at('folder'))
  execFileSync('mkfifo', [folder.at('fifo')])
  for (const name of ['one', 'folder', 'fifo']) {
    await expect(writeAtomically(folder.at(name), bytes(''))).rejects.toMatchObject({ code: 'invalid' })
  }
  expect(await readdir(folder.root)).toEqual(['fifo', 'folder', 'one', 'two'])
})

it('names the path and the reason if the system refuses', async () => {
  const file = await folder.put('file')
  await expect(writeAtomically(`${file}/below`, bytes(''))).rejects.toMatchObject({
    message: `cannot write ${file}/below: a part of the path is a file, not a folder`,
    details: { path: `${file}/below`, reason: 'ENOTDIR' },
  })
})

it('shows a reader the old or the new content, never a part of one', async () => {
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

it('refuses a read-only file, even for root', async () => {
  const path = await folder.put('file', 'old')
  await chmod(path, 0o444)
  await expect(writeAtomically(path, bytes('new'))).rejects.toMatchObject({
    code: 'permission',
    message: `cannot write ${path}: it is read-only (mode 444)`,
  })
  expect(await readFile(path, 'utf8')).toBe('old')
})

it('accepts every name length that the system accepts', async () => {
  const path = folder.at('文'.repeat(85))
  await writeAtomically(path, bytes('new'))
  expect(await readFile(path, 'utf8')).toBe('new')
})

it('TOOL-317: keeps the owner', async ({ skip }) => {
  const path = await folder.put('file', 'old')
  await chown(path, 4242, 4343).catch(() => skip('only root may give files away'))
  await writeAtomically(path, bytes('new'))
  const { uid, gid } = await stat(path)
  expect([uid, gid, await readFile(path, 'utf8')]).toEqual([4242, 4343, 'new'])
})

it.each(['longer than the old content', 'less'])(
  'TOOL-317: keeps hard links: all names show %j',
  async (text) => {
    const path = await folder.put('file', 'the old content')
    await chmod(path, 0o750)
    await link(path, folder.at('other'))
    await writeAtomically(path, bytes(text))
    expect([await readFile(path, 'utf8'), await readFile(folder.at('other'), 'utf8')]).toEqual([text, text])
    expect([(await stat(path)).nlink, await mode(path)]).toEqual([2, '750'])
  },
)

it('writes an existing file in place if asked to, and creates a new one', async () => {
  const path = await folder.put('file', 'old')
  const { ino } = await stat(path)
  await writeAtomically(path, bytes('new'), { inPlace: true })
  expect([await readFile(path, 'utf8'), (await stat(path)).ino]).toEqual(['new', ino])
  await writeAtomically(folder.at('other'), bytes('made'), { inPlace: true })
  expect(await readFile(folder.at('other'), 'utf8')).toBe('made')
})

it('creates folders and files in a folder that may be entered and written, but not listed', async ({
  skip,
}) => {
  if (process.getuid?.() === 0) skip('root may list every folder')
  await mkdir(folder.at('closed'))
  await chmod(folder.at('closed'), 0o300)
  await writeAtomically(folder.at('closed/new/file'), bytes('new'))
  expect(await readFile(folder.at('closed/new/file'), 'utf8')).toBe('new')
})

describe('with links not followed', () => {
  const strictly = { followLinks: false }

  it('PATH-193: refuses a file swapped for a link, and leaves the target unchanged', async () => {
    const outside = await folder.put('outside', 'theirs')
    await symlink(outside, folder.at('file'))
    await expect(writeAtomically(folder.at('file'), bytes('mine'), strictly)).rejects.toMatchObject({
      code: 'invalid',
      details: { reason: 'exchanged' },
    })
    expect(await readFile(outside, 'utf8')).toBe('theirs')
  })

  it('PATH-193: refuses a folder swapped for a link, and writes nothing behind the link', async () => {
    await mkdir(folder.at('outside'))
    await symlink('outside', folder.at('folder'))
    await expect(writeAtomically(folder.at('folder/file'), bytes('mine'), strictly)).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(await readdir(folder.at('outside'))).toEqual([])
  })

  it('PATH-193: never writes outside while a folder is swapped again and again', async () => {
    const [inside, away, outside] = [folder.at('inside'), folder.at('away'), folder.at('outside')]
    await mkdir(inside)
    await mkdir(outside)
    for (const name of ['file', 'linked']) await writeFile(join(outside, name), 'theirs')
    await writeFile(join(inside, 'linked'), 'old')
    await link(join(inside, 'linked'), folder.at('other'))
    // The writer may create the folder, or a file in it, at any moment: then a step fails, and a later one succeeds.
    const attempt = (step: Promise<void>) => step.catch(() => undefined)
    let writing = true
    const exchanging = (async () => {
      while (writing) {
        await attempt(rename(inside, away))
        await attempt(symlink(outside, inside))
        for (let i = 0; i < 20; i++) await stat(outside)
        await attempt(rm(inside, { recursive: true, force: true }))
        await attempt(rename(away, inside))
      }
    })()
    const written: PromiseSettledResult<void>[] = []
    const isRefused = () => written.some(({ status }) => status === 'rejected')
    // On a busy machine, the folder may long be in its place.
    for (let i = 0; i < 40 || !isRefused(); i++) {
      const some = ['file', 'linked', `new${i}/file`, 'file'].map((name) =>
        writeAtomically(join(inside, name), bytes('mine'), strictly),
      )
      written.push(...(await Promise.allSettled(some)))
    }
    writing = false
    await exchanging
    const names = await readdir(outside)
    const contents = await Promise.all(names.map((name) => readFile(join(outside, name), 'utf8')))
    if (process.platform === 'linux') expect(names).toEqual(['file', 'linked'])
    // On other systems an empty draft may be left there, but nothing was written to it.
    expect(contents.filter((content) => content !== '')).toEqual(['theirs', 'theirs'])
  })
})

describe('if nothing can replace the file', () => {
  it('writes a mount point in place', async ({ skip }) => {
    const root = await folderWith({ source: 'old', file: '' })
    const path = join(root, 'file')
    mount(skip, '--bind', join(root, 'source'), path)
    await writeAtomically(path, bytes('new'))
    expect(await readFile(join(root, 'source'), 'utf8')).toBe('new')
    expect(await readdir(root)).toEqual(['file', 'source'])
  })

  it('writes in place in a folder that refuses new files, and creates none', async ({ skip }) => {
    const root = await folderWith({ 'folder/file': 'old' })
    const [inner, path] = [join(root, 'folder'), join(root, 'folder/file')]
    mount(skip, '--bind', inner, inner)
    mount(skip, '--bind', path, path)
    execFileSync('mount', ['-o', 'remount,bind,ro', inner])
    await writeAtomically(path, bytes('new'))
    expect(await readFile(path, 'utf8')).toBe('new')
    await expect(writeAtomically(join(inner, 'other'), bytes(''))).rejects.toMatchObject({
      code: 'permission',
      details: { path: join(inner, 'other'), reason: 'EROFS' },
    })
    expect(await readdir(inner)).toEqual(['file'])
  })
})

describe('on a full disk', () => {
  const space = 64 * 1024

  /** A file system of 64 KiB. */
  async function smallDisk(skip: (why: string) => never): Promise<string> {
    const disk = await folderWith()
    mountSmallDisk(skip, disk, space)
    return disk
  }

  it('keeps the old content whole, and leaves no draft', async ({ skip }) => {
    const disk = await smallDisk(skip)
    await writeFile(join(disk, 'file'), 'old')
    await expect(writeAtomically(join(disk, 'file'), new Uint8Array(2 * space))).rejects.toMatchObject({
      code: 'invalid',
      message: `cannot write ${join(disk, 'file')}: the disk is full; free some space there and try again`,
    })
    expect([await readFile(join(disk, 'file'), 'utf8'), await readdir(disk)]).toEqual(['old', ['file']])
  })

  it('keeps the old content whole when writing in place', async ({ skip }) => {
    const disk = await smallDisk(skip)
    await writeFile(join(disk, 'file'), 'old')
    await link(join(disk, 'file'), join(disk, 'other'))
    await expect(writeAtomically(join(disk, 'file'), new Uint8Array(2 * space))).rejects.toMatchObject({
      message: `cannot write ${join(disk, 'file')}: the disk is full; free some space there and try again`,
    })
    expect(await readFile(join(disk, 'other'), 'utf8')).toBe('old')
  })
})
