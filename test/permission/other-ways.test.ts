import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { trackedFiles } from '../../src/git/tracked-files.ts'
import type { PermissionMode } from '../../src/permission.ts'
import { folderWith } from '../support/folders/folder.ts'
import { callOf, type RuleLists, testPolicy } from '../support/permission/policy.ts'

const home = '/home/someone'

const files = {
  'a.txt': 'a',
  'secrets/key': 'KEY',
  'secrets/deep/other': 'KEY',
  'src/a.ts': 'a',
  'x/.env': 'KEY',
  'x/b.ts': 'b',
  'y/b.ts': 'c',
}

interface Case {
  readonly command: string
  readonly cwd: string
  readonly rules: RuleLists
  readonly mode?: PermissionMode
}

async function judge({ command, cwd, rules, mode = 'bypass' }: Case) {
  const policy = testPolicy({ cwd, home, rules, mode, trackedFiles })
  return (await policy.judge(callOf('bash', { command }))).behavior
}

/** Outside a repository. */
async function plainFolder() {
  return folderWith(files)
}

async function repository() {
  const folder = await folderWith({ ...files, '.gitignore': '.env', 'sub/.env': 'KEY' })
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' }
  execFileSync('sh', ['-c', 'git init -q; git add .'], { cwd: folder, env })
  return folder
}

const noEnv: RuleLists = { deny: ['Read(.env)'] }
const noSecrets: RuleLists = { deny: ['Read(secrets/**)'] }
const noSource: RuleLists = { deny: ['Edit(src/**)'] }

describe('folders that git compares', () => {
  it.each([
    'git diff x y',
    'git diff -- x y',
    'git diff . ./y',
    'git diff --color-words --stat -p y x',
    'git diff --no-index x y',
    'cd y && git diff ../x .',
    'git -C y diff ../x .',
  ])('outside a repository, %s asks if a forbidden file lies below', async (command) => {
    const cwd = await plainFolder()
    expect(await judge({ command, cwd, rules: noEnv })).toBe('ask')
    expect(await judge({ command, cwd, rules: noEnv, mode: 'default' })).toBe('ask')
  })

  it.each([
    'git diff src y',
    'git diff --stat x y',
    'git diff --no-index --name-only x y',
    'git diff x/b.ts y/b.ts',
  ])('%s is allowed if it shows no forbidden file', async (command) => {
    expect(await judge({ command, cwd: await plainFolder(), rules: noEnv })).toBe('allow')
  })

  it.each(['git diff', 'git diff x y', 'git diff -- x sub', 'git diff HEAD~1 HEAD'])(
    'in a repository, %s shows only tracked files',
    async (command) => {
      expect(await judge({ command, cwd: await repository(), rules: noEnv, mode: 'default' })).toBe('allow')
    },
  )

  it('in a repository, asks if git is told to compare any paths, or one lies outside', async () => {
    const cwd = await repository()
    const other = await folderWith({ 'z.ts': 'z' })
    for (const command of [
      'git diff --no-index x y',
      'git diff --no-ind sub .',
      `git diff ${other} x`,
      'git diff --no-index [xy]',
      'cd src && git diff --no-index .. .',
    ])
      expect([command, await judge({ command, cwd, rules: noEnv })]).toEqual([command, 'ask'])
    expect(await judge({ command: 'git diff [xy]', cwd, rules: noEnv })).toBe('allow')
    expect(await judge({ command: `git diff ${other} src`, cwd, rules: noEnv })).toBe('allow')
    expect(await judge({ command: 'git diff --no-index src y', cwd, rules: noEnv })).toBe('allow')
  })
})

describe('links in /proc that depend on the process', () => {
  it.each([
    'cd secrets && cat /proc/self/cwd/key',
    'cd secrets && cat /proc/thread-self/cwd/key',
    'cd secrets && cat /proc/self/task/1/../1/cwd/key',
    'cd secrets && cat //proc/./self//cwd/key',
    'cd secrets && cat /tmp/../proc/self/cwd/key',
    'cd secrets/deep && cat /proc/self/cwd/../key',
    'cd secrets && cat /proc/self/root/proc/self/cwd/key',
    'cd secrets && cat /proc/*/cwd/key',
    'cd secrets && cat /proc/self/c?d/key',
    'cd secrets && cat /dev/fd/../cwd/key',
    'cd secrets && cat /proc/net/../cwd/key',
    'cd secrets && cat < /proc/self/cwd/key',
    'cd /proc/self/cwd/secrets && cat key',
    'cd secrets; sleep 9 & cat /proc/4242/cwd/key',
  ])('denies %s', async (command) => {
    expect(await judge({ command, cwd: await plainFolder(), rules: noSecrets })).toBe('deny')
  })

  it('resolves the root link', async () => {
    const cwd = await plainFolder()
    const command = `cat /proc/self/root${cwd}/secrets/key`
    const rules = { deny: [`Read(/${cwd}/secrets/key)`] }
    expect(await judge({ command, cwd, rules })).toBe('deny')
  })

  it.each([
    'cat /proc/self/status',
    'cat /proc/self/cwd/a.txt',
    'cd src && cat /proc/self/cwd/key',
    'cat /proc/cpuinfo',
    'ls > /dev/fd/1',
    'cat /dev/fd/0 < a.txt',
  ])('allows %s, which reads nothing forbidden', async (command) => {
    expect(await judge({ command, cwd: await plainFolder(), rules: noSecrets })).toBe('allow')
  })
})

describe('find writing or deleting by itself', () => {
  it.each([
    'find src -delete',
    'find src -type f -delete',
    'find -L src y -depth -delete',
    'find y -fprint src/list',
    "find y -fprintf src/list '%p'",
    'find y -fls src/list',
    'find y -fprint0 src/list',
    'cd src && find -delete',
  ])('denies %s', async (command) => {
    expect(await judge({ command, cwd: await plainFolder(), rules: noSource })).toBe('deny')
  })

  it('asks about a folder around a forbidden one', async () => {
    const cwd = await plainFolder()
    const rules = { deny: [`Edit(/${cwd}/secrets/deep/**)`] }
    expect(await judge({ command: 'find secrets -delete', cwd, rules })).toBe('ask')
  })

  it.each([
    'find src -name x',
    'find src -type f -print',
    'find y -delete',
    'find y -newer src/a.ts -delete',
    'find src -fprint list',
  ])('allows %s', async (command) => {
    expect(await judge({ command, cwd: await plainFolder(), rules: noSource })).toBe('allow')
  })
})

describe('a command that runs in other folders', () => {
  it.each([
    'find . -execdir cat key \\;',
    'find . -type f -okdir cat ./key \\;',
    'find . -maxdepth 2 -execdir cat deep/other \\;',
    "find . -execdir sh -c 'cat k*' \\;",
    "find . -execdir sh -c 'cat < key' \\;",
    'find . -execdir grep -r KEY deep \\;',
    'find . -execdir dd if=key \\;',
  ])('asks about %s', async (command) => {
    expect(await judge({ command, cwd: await plainFolder(), rules: noSecrets })).toBe('ask')
  })

  it.each([
    'find secrets -execdir cat key \\;',
    'env -C secrets cat key',
    'env -u A --chdir=secrets cat key',
    'env --chdir secrets cat key',
    'sudo -D secrets cat key',
  ])('denies %s', async (command) => {
    const cwd = await plainFolder()
    expect(await judge({ command, cwd, rules: { deny: [`Read(/${cwd}/secrets/key)`] } })).toBe('deny')
  })

  it('asks if there are too many folders', async () => {
    const starts = Array.from({ length: 1_000 }, (_, i) => `x${i}`).join(' ')
    const command = `find ${starts} -execdir cat ${starts} ';'`
    expect(await judge({ command, cwd: await plainFolder(), rules: noSecrets })).toBe('ask')
  })

  it('asks if the command writes there', async () => {
    const cwd = await plainFolder()
    expect(await judge({ command: 'find . -execdir rm a.ts \\;', cwd, rules: noSource })).toBe('ask')
    expect(await judge({ command: 'find . -execdir cat a.ts \\;', cwd, rules: noSource })).toBe('allow')
  })

  it.each([
    'find . -execdir cat package.json \\;',
    'find . -execdir echo key \\;',
    'find src -execdir cat key \\;',
    'find . -name a.ts -execdir pwd \\;',
    'env -C src cat key',
  ])('allows %s, which reads nothing forbidden', async (command) => {
    expect(await judge({ command, cwd: await plainFolder(), rules: noSecrets })).toBe('allow')
  })
})

describe('variables that refer to others or name files', () => {
  it.each([
    'declare -n y=x; x=.env; cat $y',
    'x=a.txt; declare -n y=x; y=.env; cat $x',
    'x=a.txt; typeset -n y; y=x; y=.env; cat $x',
    'declare -gn y="x"; x=.env; cat $y',
    'y=a.txt; declare "y=.env"; cat $y',
    "y=a.txt; export 'y=.env'; cat $y",
    'x=a.txt; declare -n "y=x[0]"; y=.env; cat $x',
    'f() { local -n r=$1; r=.env; }; x=a.txt; f x; cat $x',
    'y=a.txt; printf -vy .env; cat $y',
    "y=a.txt; printf -v 'y[0]' .env; cat $y",
    "y=a.txt; read 'y[0]' <<< .env; cat $y",
    `y=; : \${y:=.env}; cat $y`,
    'x=a.txt; declare -n y; for y in x; do y=.env; done; cat $x',
  ])('does not allow %s', async (command) => {
    expect(await judge({ command, cwd: await plainFolder(), rules: noEnv })).not.toBe('allow')
  })

  it.each([
    'BASH_ENV=.env bash -c set',
    'BASH_ENV=x/.env bash -c :',
    'export BASH_ENV=.env; bash -c set',
    'env BASH_ENV=.env bash -c set',
    "declare -x 'BASH_ENV=.env'; bash -c set",
    'ENV=.env sh -i',
    "BASH_ENV='$PWD/.env' bash -c set",
    'cd x; ENV="$PWD"/.env sh -i',
  ])('does not allow %s, which reads the named file', async (command) => {
    expect(await judge({ command, cwd: await plainFolder(), rules: noEnv })).not.toBe('allow')
  })

  it.each([
    'declare -n y=x; x=1; echo $y',
    'declare -n y=x; cat a.txt',
    'y=a.txt; printf -v z .env; cat $y',
    `y=a.txt; : \${y:=b.txt}; cat $y`,
    'f=a.txt; declare -n y=x; y="b c"; cat $f',
    'declare -r y=a.txt; cat $y',
    'ENV=production npm test',
    'ENV=test grep .env a.txt',
    'BASH_ENV=a.txt bash -c set',
  ])('allows %s', async (command) => {
    expect(await judge({ command, cwd: await plainFolder(), rules: noEnv })).toBe('allow')
  })
})
