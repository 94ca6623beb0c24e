import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openWorktreeProject, options } from '../worktree-project.ts'

const hooks = [
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'pre-commit',
  'post-merge',
  'fsmonitor',
]

/** Lines that make the repository configure every program that git may run, each of which leaves a file. */
function traps(marks: string): string {
  const trap = (name: string) => `touch ${join(marks, name)}`
  const settings = {
    'core.fsmonitor': `${trap('fsmonitor')}; false`,
    'core.hooksPath': '.git/traps',
    'core.sshCommand': trap('ssh'),
    'core.alternateRefsCommand': trap('alternates'),
    'core.attributesFile': '.gitattributes',
    'core.autocrlf': 'true',
    'diff.external': trap('external'),
    'diff.evil.textconv': trap('textconv'),
    'diff.evil.command': trap('diff'),
    'filter.evil.clean': `${trap('clean')}; tr a-z A-Z`,
    'filter.evil.smudge': `${trap('smudge')}; tr a-z A-Z`,
    'filter.evil.process': trap('process'),
    'filter.evil.required': 'true',
    'merge.evil.driver': trap('merge'),
    'merge.default': 'evil',
    'uploadpack.packObjectsHook': trap('pack'),
    'gpg.program': trap('gpg'),
    'commit.gpgSign': 'true',
    'diff.noprefix': 'true',
    'user.name': '',
  }
  const set = Object.entries(settings).map(([name, value]) => `git config ${name} '${value}'`)
  const folders = ['.git/hooks', '.git/traps']
  const hook = folders.flatMap((folder) =>
    hooks.map(
      (name) => `printf '#!/bin/sh\\n${trap(name)}\\n' > ${folder}/${name}; chmod +x ${folder}/${name}`,
    ),
  )
  return ['mkdir -p .git/hooks .git/traps', ...hook, ...set].join('\n')
}

it('a repository that configures programs runs none of them, and changes no byte', async () => {
  const files = {
    'a.txt': 'one\r\ntwo\n',
    '.gitattributes': '* text=auto eol=crlf diff=evil filter=evil merge=evil ident\n',
  }
  const { root, folder, run, worktrees, put } = await openWorktreeProject({
    files,
    script:
      'git init -q; git -c core.attributesFile= add a.txt; git commit -qm one; git add .gitattributes; git commit -qm two',
  })
  const marks = join(folder, 'marks')
  mkdirSync(marks)
  run(traps(marks))
  put('a.txt', 'one\r\ntwo\n$Id$\n')
  const made = await worktrees.create('one', options)
  expect(readFileSync(join(made.cwd, 'a.txt'), 'utf8')).toBe('one\r\ntwo\n$Id$\n')
  writeFileSync(join(made.cwd, 'a.txt'), 'one\r\ntwo\n$Id$\nthree\n')
  const { text } = await made.diff(options)
  expect(text).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,4 @@\n one\r\n two\n $Id$\n+three\n')
  await made.remove()
  put('a.txt', 'ONE\r\ntwo\n$Id$\n')
  put('b.txt', 'b\n')
  const bundle = await worktrees.bundle('one', options)
  await worktrees.restoreBundle('one', bundle, options)
  await (await worktrees.open('one', options)).save(options)
  expect((await worktrees.apply('one', options)).conflicts).toEqual([])
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('ONE\r\ntwo\n$Id$\nthree\n')
  await worktrees.discard('one', options)
  await worktrees.sweep(options)
  expect(readdirSync(marks)).toEqual([])
})

it('a repository that says its files are elsewhere is refused', async () => {
  const { folder, run, worktrees } = await openWorktreeProject()
  mkdirSync(join(folder, 'secret'))
  run('git config core.worktree ../../secret')
  await expect(worktrees.create('one', options)).rejects.toMatchObject({
    code: 'input',
    message: expect.stringContaining('says that its files are in'),
  })
})
