import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/cli/system-clock.ts'
import { createAttributes } from '../../../src/files/walk/attributes.ts'
import { createDiskStore } from '../../../src/files/writing/disk-store.ts'
import type { CommandRunner } from '../../../src/machine/running-command.ts'
import { createCommandRunner } from '../../../src/process/command-runner.ts'
import { type Folder, temporaryFolder } from '../folder.ts'

let folder: Folder
let commands: CommandRunner
let asked: string[]
beforeEach(async () => {
  folder = await temporaryFolder()
  const runner = createCommandRunner({ clock: systemClock, pipesDir: folder.at('pipes') })
  asked = []
  commands = {
    ...runner,
    run: (command, options) => {
      asked.push(command.args.at(-1) ?? '')
      return runner.run(command, options)
    },
    close: () => runner.close(),
  }
})
afterEach(async () => {
  await commands.close()
  await folder.remove()
})

const { signal } = new AbortController()
const storeIn = (path: string) => createDiskStore(createAttributes(commands, () => ({ PATH: path })))
const inode = async (path: string) => (await stat(path)).ino
type Skip = (why: string) => never

/** Runs a line of Python on a path: it can read and set attributes, which Node cannot. */
function python(skip: Skip, line: string, path: string): string {
  try {
    return execFileSync('python3', ['-c', `import os, struct, sys\npath = sys.argv[1]\n${line}`, path], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return skip('no Python, or no such attributes here')
  }
}

const accessList = [
  'entry = lambda *fields: struct.pack("<HHI", *fields)',
  'any = 0xffffffff',
  'parts = [entry(1, 6, any), entry(2, 4, 1000), entry(4, 4, any), entry(16, 4, any), entry(32, 4, any)]',
  'os.setxattr(path, "system.posix_acl_access", struct.pack("<I", 2) + b"".join(parts))',
].join('\n')

describe.runIf(process.platform === 'linux')('TOOL-317: a rewritten file', () => {
  it.for([
    ['an extended attribute', 'os.setxattr(path, "user.x", b"1")'],
    ['an access list', accessList],
  ])('keeps %s, set before the first write or between two', async ([, line = ''], { skip }) => {
    const store = storeIn('/usr/bin:/bin')
    const attributes = (path: string) =>
      python(skip, 'print([(name, os.getxattr(path, name)) for name in sorted(os.listxattr(path))])', path)
    for (const path of [await folder.put('early', 'old'), await folder.put('late', 'old')]) {
      if (path.endsWith('late')) await store.writeFile(path, Buffer.from('first'), { signal })
      python(skip, line, path)
      const before = attributes(path)
      for (const text of ['longer than before', 'new']) {
        await store.writeFile(path, Buffer.from(text), { signal })
        expect([await readFile(path, 'utf8'), attributes(path)]).toEqual([text, before])
      }
    }
  })

  it('is replaced if it has neither; asks tar once, and not about new files', async () => {
    const store = storeIn('/usr/bin:/bin')
    const [old, made] = [await folder.put('a\n-- "b"', 'old'), folder.at('new/made')]
    const before = await inode(old)
    for (const text of ['1', '2', '3']) {
      for (const path of [old, made]) await store.writeFile(path, Buffer.from(text), { signal })
      // Later writes may reuse the first inode number.
      if (text === '1') expect(await inode(old)).not.toBe(before)
    }
    expect([await readFile(old, 'utf8'), await readFile(made, 'utf8'), asked]).toEqual(['3', '3', [old]])
    await writeFile(old, 'by another')
    await store.writeFile(old, Buffer.from('4'), { signal })
    expect(asked).toEqual([old, old])
  })

  it.each(['no tar', 'a tar that fails'])('is replaced in one step with %s', async (which) => {
    const bin = folder.at('bin')
    await mkdir(bin)
    if (which !== 'no tar') await writeFile(`${bin}/tar`, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const path = await folder.put('folder/file', 'old')
    const before = await inode(path)
    await storeIn(bin).writeFile(path, Buffer.from('new'), { signal })
    expect(await readFile(path, 'utf8')).toBe('new')
    expect(await inode(path)).not.toBe(before)
    expect(await readdir(folder.at('folder'))).toEqual(['file'])
  })
})
