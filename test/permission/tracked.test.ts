import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trackedFiles } from '../../src/git/tracked-files.ts'
import { folderWith } from '../support/folders/folder.ts'
import { callOf, type RuleLists, testPolicy } from '../support/permission/policy.ts'

const home = '/home/someone'
const secret: RuleLists = { deny: ['Read(.env)'] }
const anyGit: RuleLists = { ...secret, allow: ['Bash(git:*)', 'Bash(cd:*)'] }

/** A repository with two commits and later changes, which tracks `.env` and `sub/.env`. */
const script = `
git init -q; git config user.name a; git config user.email a@b
mkdir src sub; echo KEY=1 > .env; echo KEY=1 > sub/.env; echo a > src/a.ts; echo b > b.txt
git add .; git commit -qm 'fix: first'; git tag one
echo KEY=2 > .env; echo KEY=2 > sub/.env; echo aa > src/a.ts; git commit -qam 'fix: second'
echo KEY=3 > .env; echo KEY=3 > sub/.env; git stash -q
echo KEY=4 > .env; echo KEY=4 > sub/.env; git add .env sub; echo KEY=5 > .env; echo KEY=5 > sub/.env
`

let project = ''

beforeAll(async () => {
  project = await realpath(await mkdtemp(join(tmpdir(), 'pipe-test-')))
  run(project, script)
})

afterAll(() => rm(project, { recursive: true, force: true }))

/** The output of a line of sh, whatever its exit code. */
function run(cwd: string, line: string): string {
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', GIT_PAGER: 'cat' }
  return execFileSync('sh', ['-c', `{ ${line}\n} 2>&1 || true`], { cwd, env, encoding: 'latin1' })
}

async function judge(command: string, rules: RuleLists, cwd = project) {
  const policy = testPolicy({ cwd, home, rules, trackedFiles })
  const { behavior, reason } = await policy.judge(callOf('bash', { command }))
  return behavior === 'ask' ? reason : behavior
}

const shows = 'it may show what Read(.env) forbids'

describe('if a forbidden file is tracked', () => {
  it.each([
    'git show',
    'git show HEAD',
    'git show one HEAD',
    'git show --stat -p',
    'git show --no-quiet --quiet',
    'git show :/second',
    "git show 'HEAD^{/sec*}'",
    "git show 'stash@{0}'",
    'git show HEAD:src/a.ts HEAD',
    'git diff',
    'git diff --cached',
    'git diff HEAD~1',
    'git diff HEAD~1 HEAD',
    'git diff one..HEAD',
    'git diff -U0 --stat',
    'git diff -- .',
    'git diff .',
    "git diff -- '*'",
    "git diff -- 's*'",
    "git diff -- '[.s]*'",
    'git diff -- src sub',
    'git diff -- src :/',
    "git diff -- . ':!.env'",
    "git diff -- ':!.env'",
    "git diff -- . ':!*/x' ':(exclude,icase)SUB'",
    'git diff -- SUB :/S*B',
    "git diff -- ':(icase)SUB'",
    'git diff sub',
    'git diff HEAD sub src',
    'git diff "$PWD"',
    'git log -p',
    'git log -wp',
    'git log -u',
    'git log --patch-with-stat',
    'git log --binary',
    'git log -U1',
    'git log --cc',
    'git log --pat',
    'git log -p --full-diff -- src',
    'git log -p -- src sub',
    'git log -p --format=%h sub',
    'git reflog -p',
    'git whatchanged -p',
    'git stash show -p',
    'git stash list -p',
    'git grep KEY',
    'git grep -n KEY HEAD',
    'git grep -e KEY',
    'git grep KEY -- sub src',
    'git grep --max-depth 1 KEY -- . src',
    'git grep -- KEY',
    'git cat-file -p stash@{0}:sub/.env HEAD',
    'git diff-index -p HEAD',
    'git diff-files -p',
    'git diff-tree -p HEAD',
    'git diff-tree -p HEAD~1 HEAD',
    'git --no-pager diff',
    'git diff | cat',
    'git status -v',
    "timeout 9 sh -c 'git diff'",
  ])('asks about %s', async (command) => {
    expect(await judge(command, secret)).toMatch(/may show|deny/)
  })

  it.each([
    'git format-patch -1 --stdout',
    'git archive HEAD',
    'git archive HEAD src sub',
    'git fast-export HEAD',
    'git difftool -y -x cat',
    'git add -p',
    'git commit --dry-run -v',
    'git -C sub diff',
    'git -c a.b=c diff',
    'git -c alias.d=diff d',
    'git --git-dir=.git --work-tree=. diff',
    'cd src && git diff',
    'git checkout-index -a --prefix=copy/',
    'git range-diff one HEAD stash',
  ])('asks about %s, whatever is allowed', async (command) => {
    expect(await judge(command, anyGit)).toBe(shows)
  })

  it.each([
    'git show HEAD:.env',
    'git show HEAD:sub/.env',
    'git show :.env',
    'git show :0:.env',
    'git show --stat HEAD:.env',
    "git show 'HEAD@{0}:.env'",
    'git cat-file -p HEAD:.env',
    'git cat-file blob :.env',
    'git blame .env',
    'git blame HEAD -- sub/.env',
    'git diff -- .env',
    'git diff .env',
    'git diff -- :/.env',
    "git diff -- ':(top).env'",
    "git diff -- ':(top,icase)sub/.env'",
    'git log -p -- .env',
    'git log -L1,1:.env',
    'git log -L 1,1:sub/.env',
    'git grep KEY .env',
    'git grep KEY -- src .env',
    'git archive HEAD .env',
    'git checkout-index .env',
  ])('denies %s, which names the file', async (command) => {
    expect(await judge(command, anyGit)).toBe('deny')
  })

  it.each([
    'git status',
    'git status -uno',
    'git branch -v',
    'git log',
    'git log -5',
    'git log --oneline --graph',
    'git log --stat',
    'git log --name-status -- sub',
    'git log -n 3 --format=%s',
    'git reflog',
    'git stash list',
    'git stash show',
    'git show --stat',
    'git show --name-only HEAD',
    'git show -s HEAD',
    'git show HEAD --format=%B --no-patch',
    'git diff --stat',
    'git diff --name-only HEAD~1',
    'git diff --name-status --cached',
    'git diff --quiet',
    'git diff --numstat .env',
    'git diff src',
    'git diff HEAD~1 src',
    'git diff HEAD~1 -- src b.txt',
    "git diff HEAD~1 -- '*.ts'",
    "git diff HEAD~1 '*.ts'",
    'git diff HEAD~1 -- :/src',
    "git diff -- . ':!.env' ':!sub/'",
    "git diff . ':!*.env'",
    "git diff -- ':^*.env'",
    "git diff -- ':(exclude)*.env'",
    'git diff one:src/a.ts HEAD:src/a.ts',
    'git show HEAD:src/a.ts',
    'git show HEAD:./src/a.ts',
    'git show HEAD -- src',
    'git log -p -- src',
    'git log -p -2 src',
    'git log -L1,1:src/a.ts',
    'git grep a src',
    'git grep a -- src',
    'git grep -n a HEAD -- src',
    "git grep a -- '*.ts'",
    'git blame src/a.ts',
    'git cat-file -p HEAD',
    "git cat-file -p 'HEAD^{tree}'",
    'git cat-file -p HEAD:src/a.ts',
    'git cat-file -t HEAD:src/a.ts',
    'git ls-files',
    'git ls-tree -r HEAD',
    'git diff-tree HEAD',
    'git diff-index HEAD',
    'git shortlog HEAD',
  ])('allows %s, which shows nothing of the file', async (command) => {
    const named = command.includes('numstat') ? 'deny' : 'allow'
    expect(await judge(command, secret)).toBe(named)
    expect(run(project, command)).not.toContain('KEY')
  })

  it.each([
    'git archive HEAD src',
    'git format-patch -1 --stdout -- src',
    "git commit -m 'move .env'",
    'git fetch',
  ])('allows %s by a rule', async (command) => {
    expect(await judge(command, anyGit)).toBe('allow')
  })

  it('checks rules of every kind', async () => {
    expect(await judge('git diff', { deny: ['Read(sub/**)'] })).toMatch(/may show what Read\(sub/)
    expect(await judge('git diff', { deny: [`Read(/${project}/sub/**)`] })).toMatch(/may show/)
    expect(await judge('git diff', { deny: ['Read(**/*.txt)'] })).toMatch(/may show/)
    expect(await judge('git diff src', { deny: ['Read(**/*.txt)'] })).toBe('allow')
    expect(await judge('git diff', { ask: ['Read(.env)'] })).toBe('Read(.env) asks about it')
    expect(await judge('git diff', { deny: ['Edit(.env)'] })).toBe('allow')
    expect(await judge('git diff', { deny: ['Read(nothing)', 'Bash(rm:*)'] })).toBe('allow')
  })

  it('works from any folder of the repository, and for paths from its root', async () => {
    const cwd = join(project, 'src')
    expect(await judge('git diff', secret, cwd)).toBe(shows)
    expect(await judge('git diff .', secret, cwd)).toBe('allow')
    expect(await judge('git grep KEY', secret, cwd)).toBe('allow')
    expect(await judge('git diff -- :/sub', secret, cwd)).toBe(shows)
    const outer = { deny: [`Read(/${project}/b.txt)`] }
    expect(await judge('git show HEAD:b.txt', outer, cwd)).toBe('deny')
    expect(await judge("git show 'HEAD:./b.txt'", outer, cwd)).toBe('allow')
    expect(await judge("git diff -- ':(top)b.txt'", outer, cwd)).toBe('deny')
  })
})

it('does not ask about a file that is not tracked', async () => {
  const root = await folderWith({ '.env': 'KEY=1', '.gitignore': '.env', 'a.txt': 'a' })
  run(root, 'git init -q; git add .')
  for (const line of ['git diff', 'git log -p', 'git show', 'git grep KEY', 'git diff --cached'])
    expect([line, await judge(line, secret, root)]).toEqual([line, 'allow'])
})

it('asks if git cannot list the tracked files', async () => {
  const root = await folderWith()
  await cp(project, root, { recursive: true })
  run(root, 'git update-index --split-index')
  expect(await judge('git diff', { deny: ['Read(nothing)'] }, root)).toBe(
    'it may show what Read(nothing) forbids',
  )
  expect(await judge('git diff --stat', { deny: ['Read(nothing)'] }, root)).toBe('allow')
})

it('does not read the index if no rule is about reading, or git shows nothing', async () => {
  const asked: string[] = []
  const policyOf = (rules: RuleLists) =>
    testPolicy({
      rules,
      trackedFiles: async (folder) => {
        asked.push(folder)
        return undefined
      },
    })
  const call = (command: string) => callOf('bash', { command })
  await policyOf({ deny: ['Bash(rm:*)', 'Edit(.env)'], allow: ['Read(x)'] }).judge(call('git diff'))
  await policyOf(secret).judge(call('git log --oneline && git status && git diff --stat'))
  expect(asked).toEqual([])
  await policyOf(secret).judge(call('git diff && git log -p'))
  expect(asked).toEqual(['/home/user/proj'])
})
