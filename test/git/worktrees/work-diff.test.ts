import { chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { quickIt as it, slowIt } from '../../support/thorough.ts'
import { listing } from '../project.ts'
import { openWorktreeProject, options, sh } from '../worktree-project.ts'

const latin = Buffer.from('caf\xe9\n', 'latin1')

it('the diff of any change is one that git apply takes', async () => {
  const files = {
    'a.txt': 'a\n',
    'crlf.txt': 'a\r\nb\r\n',
    bin: Buffer.from([0, 1, 2]),
    latin,
    run: '#!\n',
    gone: 'g\n',
  }
  const { root, folder, worktrees } = await openWorktreeProject({ files })
  const made = await worktrees.create('one', options)
  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(made.cwd, name), content)
  put('a.txt', 'a\nno newline')
  put('crlf.txt', 'a\r\nB\r\n')
  put('bin', Buffer.from([0, 9, 255, 10]))
  put('latin', Buffer.concat([latin, latin]))
  put('new "name" ü\n', 'n\n')
  put('empty', '')
  chmodSync(join(made.cwd, 'run'), 0o755)
  rmSync(join(made.cwd, 'gone'))
  symlinkSync('a.txt', join(made.cwd, 'link'))
  const { text, files: changed } = await made.diff(options)
  expect(changed).toEqual([
    { path: 'a.txt', added: 1, removed: 0 },
    { path: 'bin' },
    { path: 'crlf.txt', added: 1, removed: 1 },
    { path: 'empty', added: 0, removed: 0 },
    { path: 'gone', added: 0, removed: 1 },
    { path: 'latin', added: 1, removed: 0 },
    { path: 'link', added: 1, removed: 0 },
    { path: 'new "name" ü\n', added: 1, removed: 0 },
    { path: 'run', added: 0, removed: 0 },
  ])
  writeFileSync(join(folder, 'patch'), text)
  sh(root, 'git apply ../patch')
  const own = (at: string) => Object.entries(listing(at)).filter(([name]) => !/^\.git(\/|$)/.test(name))
  expect(own(root)).toEqual(own(made.cwd))
  expect(readFileSync(join(root, 'latin'))).toEqual(Buffer.concat([latin, latin]))
})

slowIt('paths are relative to the working folder, unless some change is outside of it', async () => {
  const { root, folder, worktrees } = await openWorktreeProject({
    files: { 'sub/a': 'a\n', b: 'b\n' },
    cwd: 'sub',
  })
  const made = await worktrees.create('one', options)
  writeFileSync(join(made.cwd, 'a'), 'A\n')
  const inside = await made.diff(options)
  expect(inside.files).toEqual([{ path: 'a', added: 1, removed: 1 }])
  writeFileSync(join(folder, 'patch'), inside.text)
  sh(join(root, 'sub'), 'git apply --check ../../patch')
  writeFileSync(join(made.cwd, '..', 'b'), 'B\n')
  const outside = await worktrees.open('one', options).then((one) => one.diff(options))
  expect(outside.files.map(({ path }) => path)).toEqual(['../b', 'a'])
  writeFileSync(join(folder, 'patch'), outside.text)
  sh(root, 'git apply ../patch')
  expect([readFileSync(join(root, 'b'), 'utf8'), readFileSync(join(root, 'sub', 'a'), 'utf8')]).toEqual([
    'B\n',
    'A\n',
  ])
})

it('without a change it is empty, with the folder and without', async () => {
  const { worktrees } = await openWorktreeProject()
  const made = await worktrees.create('one', options)
  expect(await made.diff(options)).toEqual({ text: '', files: [] })
  await made.remove()
  expect(await worktrees.diff('one', options)).toEqual({ text: '', files: [] })
})
