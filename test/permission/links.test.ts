import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { callOf, type RuleLists, testPolicy } from '../support/permission/policy.ts'
import { quickIt as it, slowIt } from '../support/thorough.ts'

let home = ''
let cwd = ''

beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'pipe-links-')))
  cwd = join(home, 'proj')
  await mkdir(join(home, '.ssh'))
  await mkdir(join(cwd, 'clean'), { recursive: true })
  await mkdir(join(cwd, 'dashed'))
  await mkdir(join(cwd, 'awk'))
  await writeFile(join(home, '.ssh', 'id_rsa'), 'SECRET')
  await writeFile(join(cwd, 'a.txt'), 'a')
  await writeFile(join(cwd, 'clean', 'b.txt'), 'b')
  await writeFile(join(cwd, 'dashed', '-R'), '')
  await writeFile(join(cwd, 'awk', 'BEGIN{system("id")}'), '')
  await symlink(join(home, '.ssh', 'id_rsa'), join(cwd, 'notes'))
  await symlink(join(home, '.ssh'), join(cwd, 'linkdir'))
  await symlink('../a.txt', join(cwd, 'clean', 'inner'))
  await symlink('.', join(cwd, 'round'))
  await mkdir(join(cwd, 'below', 'deep', 'er'), { recursive: true })
  await symlink('../../../../.ssh/id_rsa', join(cwd, 'below', 'deep', 'er', 'key'))
  await mkdir(join(cwd, 'through'))
  await symlink('../below', join(cwd, 'through', 'other'))
  await mkdir(join(cwd, 'circle'))
  await symlink('.', join(cwd, 'circle', 'again'))
  await symlink('../clean', join(cwd, 'circle', 'next'))
})

afterAll(() => rm(home, { recursive: true, force: true }))

const judge = async (command: string, rules: RuleLists = {}) =>
  (await testPolicy({ cwd, home, rules }).judge(callOf('bash', { command }))).behavior

const leading = [
  'cat *',
  'cat n*',
  'cat n?tes',
  'cat [n]otes',
  'cat [[:alpha:]]otes',
  'cat *otes',
  'cat */id_rsa',
  'cat "$PWD"/n*',
  'head -5 */*',
  'ls l*',
  'wc -l *',
  'strings *',
  'jq . *',
  'grep x *',
  'grep -r x *',
  'grep -h *',
  'grep -R SECRET .',
  'grep -R SECRET',
  'grep -rR SECRET clean',
  'grep --dereference-recursive SECRET .',
  'egrep -R SECRET .',
  'rg -L SECRET',
  'rg --follow SECRET .',
  'find -L .',
  'find . -follow -type f',
  'find . -exec cat {} +',
  'find -exec cat {} +',
  'find below -name key -exec cat {} +',
  'find . -name x -o -type f -exec cat {} +',
  'find . ! -type f -exec cat {} +',
  'find -L . -type f -exec cat {} +',
  'find . -type f,l -exec cat {} +',
  'find linkdir/ -type f -exec cat {} +',
  'ls -LR',
  'ls -lRL .',
  'diff -r . clean',
  'diff clean .',
  'diff -rq clean below',
  'diff -r clean through',
  'find -L clean through',
  'diff -r clean linkdir',
  'diff -r missing .',
  'rg --ignore-file linkdir/id_rsa x',
  'rg x --ignore-file linkdir/id_rsa',
  'rg --ignore-file linkdir/id_rsa --files',
  'grep --exclude-from linkdir/id_rsa -r x clean',
  'grep --exclude-fr linkdir/id_rsa -r x clean',
  'rg --ignore-file notes -e x clean',
  'tree -l',
  'du -aL',
  'fd -L id',
  'cd l* && cat id_rsa',
  'cd round && cat ../.ssh/id_rsa',
  'echo linkdir/*',
  'diff --from-file=notes a.txt',
  'wc --files0-from=a.txt',
  'sort --files0-from=a.txt',
  'du --files0=a.txt',
]

it.each(leading)('%s: asks because links lead out of the project', async (command) => {
  expect(await judge(command)).toBe('ask')
})

it.each([
  'cat n*',
  'cat *',
  'cat linkdir/i*',
  'grep -R SECRET .',
  'rg -L SECRET',
  'find -L .',
  'ls -LR',
  'tree -l',
  'diff -r . clean',
  'for f in n*; do cat $f; done',
])('%s: never allowed if it may read a forbidden file', async (command) => {
  expect(await judge(command, { deny: ['Read(~/.ssh/**)'], allow: ['Bash(*)'] })).not.toBe('allow')
})

it.each([
  ['cat dashed/*', 'matches a file name that looks like an option'],
  ['grep x dashed/*', 'matches a file name that looks like an option'],
  ['awk awk/*', 'has a pattern that the shell expands to file names'],
  ['awk awk/* awk/*', 'has a pattern that the shell expands to file names'],
  ['cd awk && awk *', 'has a pattern that the shell expands to file names'],
])('%s: asks because it %s', async (command, reason) => {
  const decision = await testPolicy({ cwd, home }).judge(callOf('bash', { command }))
  expect(decision).toMatchObject({ behavior: 'ask', reason: expect.stringContaining(reason) })
})

it.each([
  'cat a*',
  'cat clean/*',
  'grep x clean/*',
  'grep -rn x .',
  'grep -rn foo.*bar .',
  'grep -r --include=*.txt x .',
  'rg x',
  'find .',
  'find . -type f -exec cat {} +',
  'find clean -exec cat {} +',
  'ls -la',
  'ls -R',
  'diff a.txt clean/b.txt',
  'diff -r --no-dereference . clean',
  'diff -r clean dashed',
  'diff -rq clean circle',
  'diff clean circle',
  'diff -r clean missing',
  'rg --ignore-file a.txt x clean',
  'rg --ignore-case /x clean',
  'grep -r --exclude=*.js /usr/bin clean',
  'jq .[] a.txt',
  'echo *.txt',
  'cat missing/*',
])('%s: allowed because it stays in the project', async (command) => {
  const { behavior, reason } = await testPolicy({ cwd, home }).judge(callOf('bash', { command }))
  expect(behavior, reason).toBe('allow')
})

it('asks if a folder has too many entries to check for links', async () => {
  const file = { isLink: false, isFolder: false }
  const many = Array.from({ length: 20_001 }, (_, i) => ({ name: `${i}`, ...file }))
  const policy = testPolicy({ cwd, home, listFolder: async (_, most) => many.slice(0, most) })
  const decision = await policy.judge(callOf('bash', { command: 'diff -r clean dashed' }))
  expect(decision.behavior).toBe('ask')
})

slowIt('asks if a glob matches too many files to check', async () => {
  const many = join(cwd, 'clean', 'many')
  await mkdir(many)
  await Promise.all(Array.from({ length: 2_001 }, (_, i) => writeFile(join(many, `${i}`), '')))
  expect(await judge('cat clean/many/*')).toBe('ask')
  expect(await judge('cat clean/many/1')).toBe('allow')
})
