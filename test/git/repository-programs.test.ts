import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import { programOfRepository } from '../../src/git/repository-programs.ts'
import type { CommandRunner } from '../../src/machine/running-command.ts'
import { createCommandRunner } from '../../src/process/command-runner.ts'
import { folderWith } from '../support/folders/folder.ts'

const searchPath = process.env['PATH'] ?? ''

/** Makes a repository by these shell lines. Returns what finds the program in one of its folders. */
async function repositoryAfter(script: string, see: (running: number) => void = () => undefined) {
  const root = await folderWith({})
  const real = createCommandRunner({ clock: systemClock })
  onTestFinished(() => real.close())
  let running = 0
  const run: CommandRunner['run'] = async function* (...call) {
    see(++running)
    try {
      return yield* real.run(...call)
    } finally {
      running--
    }
  }
  const commands = { ...real, run }
  const env = { PATH: searchPath, HOME: root, GIT_CONFIG_NOSYSTEM: '1' }
  mkdirSync(join(root, 'sub'))
  execFileSync('sh', ['-c', `git init -q\n${script}`], { cwd: root, env })
  const signal = new AbortController().signal
  return (folder = '.') => programOfRepository(commands, { cwd: join(root, folder), searchPath }, signal)
}

/** The program found in a new repository after these shell lines. */
async function programAfter(script: string, folder?: string) {
  const programIn = await repositoryAfter(script)
  return programIn(folder)
}

it.each([
  ['git config core.fsmonitor ./watch.sh', 'core.fsmonitor'],
  ['git config diff.external ./diff.sh', 'diff.external'],
  ['git config diff.Some.Name.textconv ./text.sh', 'diff.Some.Name.textconv'],
  ['git config diff.x.command ./diff.sh', 'diff.x.command'],
  ['git config filter.x.clean ./clean.sh', 'filter.x.clean'],
  ['git config filter.x.process ./clean.sh', 'filter.x.process'],
  ['git config filter.lfs.clean "git-lfs clean -- %f; ./clean.sh"', 'filter.lfs.clean'],
  ['git config gpg.program ./gpg.sh', 'gpg.program'],
  ['git config diff.submodule diff', 'diff.submodule'],
  ['git config blame.ignoreRevsFile /etc/passwd', 'blame.ignorerevsfile'],
  ['mkdir else; git config core.worktree "$PWD/else"', 'core.worktree'],
  ['git config gpg.ssh.program ./gpg.sh', 'gpg.ssh.program'],
  ['printf "[diff]\\nexternal = x\\n" > more; git config include.path ../more', 'diff.external'],
  ['git config merge.x.driver ./merge.sh', 'merge.x.driver'],
  ['git config core.alternateRefsCommand ./refs.sh', 'core.alternaterefscommand'],
  ['git config remote.o.partialCloneFilter blob:none; git config core.sshCommand x', 'core.sshcommand'],
  [
    'mkdir -p .git/hooks; install -m 755 /dev/null .git/hooks/post-index-change',
    'the hook post-index-change',
  ],
  [
    'git config core.hooksPath .husky; mkdir .husky; install -m 755 /dev/null .husky/post-index-change',
    'the hook post-index-change',
  ],
  ['git config extensions.partialclone o; git config core.sshCommand ./ssh.sh', 'core.sshcommand'],
  ['git config remote.o.promisor true; git config remote.o.uploadpack ./up.sh', 'remote.o.uploadpack'],
  ['git config remote.o.promisor true; git config core.askPass ./ask.sh', 'core.askpass'],
  [
    'git config remote.o.promisor true; install -m 755 /dev/null .git/hooks/pre-auto-gc',
    'the hook pre-auto-gc',
  ],
  ['git config core.hooksPath "~/hooks"', 'core.hookspath'],
  ['git config core.hooksPath /proc/self/cwd/hooks', 'core.hookspath'],
  ['git config includeIf.gitdir:~/.path ../more', 'includeif.gitdir:~/.path'],
  [
    'echo "[a]" > more; ln -s /etc/passwd out; git config include.path ../out',
    'the unreadable configuration',
  ],
  ['git config include.path ../../my.cnf', 'include.path'],
  ['printf "[include]\\npath = x\\n" > more; git config include.path ../more', 'include.path'],
  ['mkdir -p to/it; touch to/it/a; git add to; rm -r to/it; ln -s /etc to/it', 'the link to/it'],
  ['mv .git/config more; ln -s ../more .git/config', 'the linked configuration'],
])('finds the program of: %s', async (script, found) => {
  const programIn = await repositoryAfter(script)
  expect(await programIn()).toBe(found)
  expect(await programIn('sub')).toBe(found)
})

/** Shell lines that create a tracked repository within another and configure it. */
const inner = (script: string) =>
  `git init -q in; (cd in; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m a; ${script}); git add in 2>/dev/null`

it.each([
  [inner('git config core.fsmonitor ./watch.sh'), 'core.fsmonitor'],
  [`${inner('git config filter.x.clean ./c.sh')}; git update-index --split-index`, 'filter.x.clean'],
  [inner(`${inner('git config core.fsmonitor ./watch.sh')}`), 'core.fsmonitor'],
])('finds the program of a tracked nested repository: %s', async (script, found) => {
  const programIn = await repositoryAfter(script)
  expect(await programIn()).toBe(found)
  expect(await programIn('sub')).toBe(found)
})

it.each([
  '',
  inner('true'),
  'git config core.worktree "$PWD"; git config diff.submodule log',
  'git config blame.ignoreRevsFile .git-blame-ignore-revs',
  'git init -q --bare .',
  'git init -q in; cd in; git config core.fsmonitor ./watch.sh',
  'git config core.fsmonitor true',
  'printf "[user]\\nname = x\\n" > more; git config include.path ../more',
  'git config remote.o.promisor true; install -m 755 /dev/null .git/hooks/pre-push',
  'mkdir it other; touch it/a; git add it; rm -r it; ln -s other it; ln -s /etc untracked',
  'git config core.fsmonitor false',
  'git config core.hooksPath .husky; mkdir .husky; install -m 755 /dev/null .husky/pre-commit',
  'mkdir -p .git/hooks; install -m 644 /dev/null .git/hooks/post-index-change',
  'git config core.sshCommand "ssh -i ~/.ssh/work"',
  'git config core.pager less; git config alias.x "!ls"',
  'git config filter.lfs.clean "git-lfs clean -- %f"; git config filter.lfs.process "git-lfs filter-process"',
  'git config --global diff.external ./mine.sh; git config --global core.fsmonitor ./mine.sh',
  'rm -r .git',
])('finds no program: %s', async (script) => {
  expect(await programAfter(script)).toBeUndefined()
})

it('checks nested repositories in place, but not through links, which could lead in circles', async () => {
  const links = 'git init -q a; (cd a; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m a)'
  const round = `for n in b c d; do cp -r a $n; git add $n; rm -r $n; ln -s . $n; done; git add a`
  expect(await programAfter(`{ ${links}; ${round}; } 2> /dev/null`)).toBeUndefined()
  expect(await programAfter(`{ ${links}; ${round}; git -C a config diff.external x; } 2> /dev/null`)).toBe(
    'diff.external',
  )
})

it('checks nested repositories one at a time, however many there are', async () => {
  const counts: number[] = []
  const made = '{ git init -q a; (cd a; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m a); }'
  const copied = '{ for n in b c d e; do cp -r a $n; done; git add a b c d e; } 2> /dev/null'
  const programIn = await repositoryAfter(`${made}; ${copied}`, (running) => void counts.push(running))
  const found = await programIn()
  expect([found, counts.length, Math.max(...counts)]).toEqual([undefined, 12, 2])
})

it('checks a bare repository among files, and finds nothing outside a repository', async () => {
  const plant = 'git init -q --bare bare; git config -f bare/config core.fsmonitor ./watch.sh'
  const programIn = await repositoryAfter(plant)
  expect(await programIn('bare')).toBe('core.fsmonitor')
  expect(await programIn('sub')).toBeUndefined()
  expect(await programAfter('', 'nowhere')).toBeUndefined()
})

it('reports an unreadable configuration', async () => {
  expect(await programAfter('echo "[" >> .git/config')).toMatch(/unreadable/)
})
