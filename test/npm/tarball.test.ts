import { execFileSync } from 'node:child_process'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readTarball } from '../../src/npm/tarball.ts'
import { folderWith } from '../support/folders/folder.ts'
import { longPath, type TarEntry, tarballOf, tarOf } from '../support/npm/tarball.ts'

const most = { entries: 20, bytes: 100_000 }

const read = (...entries: readonly TarEntry[]) =>
  readTarball(tarballOf(entries), most).map(({ path, bytes, isExecutable }) => [
    path,
    Buffer.from(bytes).toString(),
    isExecutable,
  ])

it('the files of a package are read without the folder around them', () => {
  const long = `package/${'long/'.repeat(30)}x.md`
  expect(
    read(
      { path: 'package/', kind: '5' },
      { path: 'package/a.md', content: 'A' },
      { path: 'package/bin/run.sh', content: '#!', mode: 0o755 },
      { path: 'package/empty', content: '' },
      { path: 'pax_global_header', kind: 'g', content: '10 x=abcd\n' },
      longPath(long),
      { path: 'package/cut', content: 'L' },
      { path: 'package/after.md', content: 'x'.repeat(512) },
    ),
  ).toEqual([
    ['a.md', 'A', false],
    ['bin/run.sh', '#!', true],
    ['empty', '', false],
    [long.slice('package/'.length), 'L', false],
    ['after.md', 'x'.repeat(512), false],
  ])
})

it('what tar itself writes is read', async () => {
  const deep = `package/${'deep/'.repeat(40)}`
  const folder = await folderWith({ 'package/b.txt': 'B', [`${deep}c.txt`]: 'C' })
  for (const format of ['ustar', 'gnu', 'posix']) {
    const names = format === 'ustar' ? ['package/b.txt'] : ['package/b.txt', `${deep}c.txt`]
    const packed = execFileSync('tar', ['-cz', `--format=${format}`, ...names], { cwd: folder })
    expect(readTarball(packed, most).map(({ path }) => `package/${path}`)).toEqual(names)
  }
})

it.each<[string, readonly TarEntry[]]>([
  ['is a link', [{ path: 'package/a', kind: '2', target: '/etc/passwd' }]],
  ['is a link', [{ path: 'package/a', kind: '1', target: 'package/b' }]],
  ['is a device', [{ path: 'package/a', kind: '3' }]],
  ['is a device', [{ path: 'package/a', kind: '4' }]],
  ['is a pipe', [{ path: 'package/a', kind: '6' }]],
  ['is no plain file', [{ path: 'package/a', kind: 'S' }]],
  ['leads out', [{ path: '../a' }]],
  ['leads out', [{ path: 'package/../../a' }]],
  ['leads out', [{ path: 'package/b/..' }]],
  ['leads out', [{ path: '/etc/passwd' }]],
  ['leads out', [{ path: 'package//etc' }]],
  ['leads out', [{ path: 'package\\..\\a' }]],
  ['leads out', [{ path: 'package/a\u001b[2J' }]],
  ['leads out', [longPath('package/../../a'), { path: 'package/a' }]],
  ['leads out', [longPath('/etc/passwd'), { path: 'package/a' }]],
  ['comes twice', [{ path: 'package/a' }, { path: 'other/a' }]],
  ['ends in the middle', [{ path: 'package/a', size: 50_000 }]],
  ['holds no file', []],
  ['more than 20 files', Array.from({ length: 21 }, (_, i) => ({ path: `package/${i}` }))],
  ['more than 20 files', Array.from({ length: 60 }, (_, i) => ({ path: `package/${i}/`, kind: '5' }))],
  ['a header is damaged', [{ path: 'x', kind: 'x', content: '99 path=a\n' }, { path: 'package/a' }]],
  ['a header is damaged', [{ path: 'x', kind: 'x', content: '0 path=a\n' }, { path: 'package/a' }]],
  ['not supported', [{ path: 'x', kind: 'x', content: '12 size=999\n' }, { path: 'package/a' }]],
  ['too large', [{ path: 'x', kind: 'x', content: 'x'.repeat(70_000) }]],
])('a tarball is refused: %s (%#)', (reason, entries) => {
  expect(() => readTarball(tarballOf(entries), most)).toThrow(reason)
})

it('bombs, damaged headers and other bytes are refused', () => {
  expect(() => readTarball(gzipSync(new Uint8Array(10_000_000)), most)).toThrow('too large')
  expect(() => readTarball(Buffer.from('text'), most)).toThrow('is no gzip')
  const tar = Buffer.from(tarOf([{ path: 'package/a', content: 'a' }]))
  tar.write('b', 8)
  expect(() => readTarball(gzipSync(tar), most)).toThrow('a header is damaged')
})
