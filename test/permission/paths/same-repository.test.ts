import { execFileSync } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callOf, type RuleLists, testPolicy } from '../../support/permission/policy.ts'

/** A repository with another one, a bare one, a `.git` that some systems take for one, and links to each. */
const script = `
git init -q .; git init -q nested; git init -q --bare evil
mkdir -p src/deep nested/below mixed; echo a > src/deep/a.ts; echo b > nested/b.ts; echo c > file
echo gitdir: ../evil > mixed/.GIT
ln -s src link; ln -s nested out; ln -s / top
`
let cwd = ''

beforeAll(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'pipe-test-')))
  execFileSync('sh', ['-c', script], { cwd, env: { PATH: process.env['PATH'] ?? '', HOME: cwd } })
})

afterAll(() => rm(cwd, { recursive: true, force: true }))

async function judge(command: string, rules: RuleLists = {}) {
  const { behavior, reason } = await testPolicy({ cwd, home: cwd, rules }).judge(callOf('bash', { command }))
  return behavior === 'ask' ? reason : behavior
}

describe('git that only reads', () => {
  it.each([
    'git -C src status',
    'git -C src/deep log -3 | head',
    'git -C link diff',
    'cd src && git status',
    'cd src/deep && git diff && git log --oneline',
    'cd link && git status',
    "bash -c 'cd src && git status'",
  ])('needs no rule in a folder of the project: %s', async (command) => {
    expect(await judge(command)).toBe('allow')
  })

  it.each([
    'git -C nested status',
    'git -C nested/below status',
    'git -C evil log',
    'git -C evil/refs log',
    'git -C mixed status',
    'git -C out status',
    'git -C top status',
    'git -C missing status',
    'git -C file status',
    'git -C src -C ../nested status',
    'git -C src diff ../nested/b.ts',
    'git -C src -c core.fsmonitor=./x status',
  ])('asks where another repository may begin: %s', async (command) => {
    expect(await judge(command)).toMatch(/may enter another repository|can change things|leaves it by/)
  })

  it.each([
    'cd nested && git status',
    'cd evil && git log',
    'cd out && git diff',
    'cd missing && git log',
    'cd src && git -C ../nested status',
    'cd nested && find . -exec git diff {} +',
    'cd nested && timeout 5 git status',
  ])('asks after a change to another repository, whatever the rules: %s', async (command) => {
    expect(await judge(command, { allow: ['Bash(git:*)'] })).toBe('it runs git in another folder')
  })

  it('asks if the line does more than read before git looks', async () => {
    const rules = { allow: ['Bash(cp:*)', 'Bash(git:*)'] }
    expect(await judge('cp -r nested/.git src && cd src && git status', rules)).not.toBe('allow')
  })

  it('names the folder in the rule that it suggests for another repository', async () => {
    const call = callOf('bash', { command: 'git -C nested status' })
    expect(await testPolicy({ cwd, home: cwd }).suggestRules(call)).toEqual(['Bash(git -C nested status)'])
  })

  it('counts as harmless in a folder of the project only', async () => {
    const policy = testPolicy({ cwd, home: cwd, mode: 'bypass' })
    const harmless = await Promise.all(
      ['git -C src status', 'cd src && git log', 'git -C evil status', 'cd evil && git log'].map(
        async (command) => (await policy.judge(callOf('bash', { command }))).changesNothing,
      ),
    )
    expect(harmless).toEqual([true, true, undefined, undefined])
  })
})
