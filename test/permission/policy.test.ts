import { describe, expect, it } from 'vitest'
import { type PermissionMode, permissionModes } from '../../src/permission.ts'
import { able, callOf, type RuleLists, testPolicy } from '../support/permission/policy.ts'
import { thrown } from '../support/thrown.ts'

const read = callOf('read', { path: 'a.txt' })
const edit = callOf('edit', { path: 'a.txt' })
const run = callOf('bash', { command: 'touch a.txt' })
const list = callOf('bash', { command: 'ls' })
const fetch = callOf('fetch', { url: 'https://docs.example.com/x' })

const behaviors = async (mode: PermissionMode, rules: RuleLists = {}, sandboxed = false) => {
  const policy = testPolicy({ mode, rules, sandboxed })
  const decisions = await Promise.all([read, edit, list, run, fetch].map((call) => policy.judge(call)))
  return decisions.map(({ behavior, source }) => `${behavior} ${source}`)
}

describe('the mode', () => {
  it.each<[PermissionMode, readonly string[]]>([
    ['default', ['allow builtin', 'ask builtin', 'allow builtin', 'ask builtin', 'ask builtin']],
    ['accept-edits', ['allow builtin', 'allow mode', 'allow builtin', 'ask builtin', 'ask builtin']],
    ['plan', ['allow builtin', 'deny mode', 'allow builtin', 'deny mode', 'ask builtin']],
    ['auto', ['allow builtin', 'ask builtin', 'allow builtin', 'ask builtin', 'ask builtin']],
    ['bypass', ['allow mode', 'allow mode', 'allow mode', 'allow mode', 'allow mode']],
  ])('%s judges reading, editing, listing, a command and a request', async (mode, expected) => {
    expect(await behaviors(mode)).toEqual(expected)
  })

  it('auto allows commands inside a sandbox without a question', async () => {
    expect(await behaviors('auto', {}, true)).toEqual([
      'allow builtin',
      'allow mode',
      'allow mode',
      'allow mode',
      'ask builtin',
    ])
  })

  it('can change, from the next call on', async () => {
    const policy = testPolicy({ mode: 'plan' })
    expect(await policy.judge(edit)).toMatchObject({ behavior: 'deny', source: 'mode', rule: 'plan' })
    policy.mode = 'accept-edits'
    expect(await policy.judge(edit)).toEqual({
      behavior: 'allow',
      source: 'mode',
      rule: 'accept-edits',
      reason: 'edits are accepted',
      judgedPaths: ['/home/user/proj/a.txt'],
    })
  })

  it.each(permissionModes)('%s refuses an actor without the capability, even to read', async (mode) => {
    const policy = testPolicy({ mode, rules: { allow: ['Read'] } })
    policy.allowForSession(read.tool)
    const weak = { ...able, displayName: 'the scout', capabilities: ['tool_run_command'] as const }
    expect(await policy.judge({ ...read, actor: weak })).toEqual({
      behavior: 'deny',
      source: 'capability',
      rule: 'tool_read_file',
      reason: 'the scout does not have the capability tool_read_file',
    })
    const other = { ...read.tool, otherCapability: () => 'tool_run_command' as const }
    expect(await policy.judge({ ...read, tool: other, actor: weak })).toMatchObject({ behavior: 'allow' })
  })
})

describe('rules', () => {
  it('apply deny before ask before allow, in every mode and order', async () => {
    const all = { deny: ['Bash(touch:*)'], ask: ['bash(touch a.txt)'], allow: ['BASH'] }
    for (const mode of permissionModes) {
      expect((await behaviors(mode, all))[3]).toBe('deny user')
      expect((await behaviors(mode, { ask: all.ask, allow: all.allow }))[3]).toBe(
        mode === 'plan' ? 'deny mode' : 'ask user',
      )
    }
    expect((await behaviors('default', { allow: all.allow }))[3]).toBe('allow user')
  })

  it('alone allow commands if reading is not free', async () => {
    expect(await testPolicy({ readsFreely: false }).judge(list)).toEqual({
      behavior: 'ask',
      source: 'builtin',
      reason: 'ls is not allowed by any rule',
      changesNothing: true,
    })
  })

  it('alone allow reading files if reading is not free', async () => {
    const judge = async (rules: RuleLists) =>
      (await testPolicy({ readsFreely: false, rules }).judge(callOf('read', { path: 'a.txt' }, true)))
        .behavior
    expect(await judge({})).toBe('ask')
    expect(await judge({ allow: ['Read(a.txt)'] })).toBe('allow')
  })

  it.each([
    ['ls', true],
    ['git status', true],
    ['cat a | grep x', true],
    ['touch a', undefined],
    ['cat a > b', undefined],
    ['echo "$(make)"', undefined],
  ])('do not change whether %s counts as changing nothing', async (command, changesNothing) => {
    for (const mode of permissionModes) {
      const decision = await testPolicy({ mode, rules: { allow: ['Bash'] } }).judge(
        callOf('bash', { command }),
      )
      expect(decision.changesNothing).toBe(changesNothing)
    }
  })

  it("query git's programs once per line, and only for a line that reads", async () => {
    let asked = 0
    const gitRuns = async () => {
      asked++
      return undefined
    }
    const policy = testPolicy({ mode: 'bypass', gitRuns })
    for (const command of ['git status && git log && git diff', 'git commit -m x']) {
      await policy.judge(callOf('bash', { command }))
    }
    expect(asked).toBe(1)
  })

  it('do not let git count as harmless if it may run a program, or the folder is not trusted', async () => {
    const call = callOf('bash', { command: 'git status' })
    const elsewhere = callOf('bash', { command: 'cd sub && git status' })
    const decisions = await Promise.all([
      testPolicy({ mode: 'bypass', gitRuns: async () => 'core.fsmonitor' }).judge(call),
      testPolicy({ mode: 'bypass', trusted: false }).judge(call),
      testPolicy({ mode: 'bypass' }).judge(elsewhere),
    ])
    for (const { behavior, changesNothing } of decisions) {
      expect([behavior, changesNothing]).toEqual(['allow', undefined])
    }
  })

  it('are named in decisions based on them', async () => {
    const policy = testPolicy({ rules: { deny: ['Bash(touch:*)'] } })
    expect(await policy.judge(run)).toEqual({
      behavior: 'deny',
      source: 'user',
      rule: 'Bash(touch:*)',
      reason: 'Bash(touch:*) forbids it',
    })
  })

  it.each<[RuleLists, string]>([
    [{ allow: ['WebFetch(domain:docs.example.com)'] }, 'allow user'],
    [{ allow: ['WebFetch(domain:*.example.com)'] }, 'allow user'],
    [{ allow: ['WebFetch'] }, 'allow user'],
    [{ allow: ['WebFetch(domain:example.com)'] }, 'ask builtin'],
    [{ allow: ['WebFetch(domain:*.com.evil)'] }, 'ask builtin'],
    [{ allow: ['WebFetch(domain:docs.example.co)'] }, 'ask builtin'],
    [{ allow: ['WebFetch'], deny: ['webfetch(domain:DOCS.example.com)'] }, 'deny user'],
  ])('%j match a request by the labels of its host', async (rules, expected) => {
    expect((await behaviors('default', rules))[4]).toBe(expected)
  })

  it('match other tools by name', async () => {
    const call = callOf('mcp__files__move', {})
    const judge = async (rules: RuleLists) => (await testPolicy({ rules }).judge(call)).behavior
    expect(await judge({})).toBe('ask')
    expect(await judge({ allow: ['mcp__files__move'] })).toBe('allow')
    expect(await judge({ allow: ['mcp__files__*'], deny: ['mcp__*'] })).toBe('deny')
    expect((await testPolicy().judge(callOf('todo', {}, true))).behavior).toBe('allow')
  })

  it.each([
    ['mcp__*__read*', 'mcp__files__read_all', true],
    ['mcp__*__read*', 'mcp__evil__delete', false],
    ['mcp__f*s__*move*', 'mcp__files__move', true],
    ['mcp__*move*__files__*', 'mcp__files__move', false],
    ['mcp__files__*e*e', 'mcp__files__move', false],
    ['MCP__*__Move', 'mcp__files__move', true],
  ])('named %s: whether they match the tool %s is %s', async (rule, tool, matches) => {
    const behaviorUnder = async (rules: RuleLists) =>
      (await testPolicy({ mode: 'default', rules }).judge(callOf(tool, {}))).behavior
    expect(await behaviorUnder({ allow: [rule] })).toBe(matches ? 'allow' : 'ask')
    expect(await behaviorUnder({ deny: [rule] })).toBe(matches ? 'deny' : 'ask')
  })

  it('with a specifier for a tool that takes none still deny, but never allow', async () => {
    const call = callOf('mcp__files__move', {})
    const judge = async (rules: RuleLists) => (await testPolicy({ rules }).judge(call)).behavior
    expect(await judge({ deny: ['mcp__files__move(*.ts)'] })).toBe('deny')
    expect(await judge({ allow: ['mcp__files__move(*.ts)'] })).toBe('ask')
    expect(await judge({ allow: ['mcp__files__move(*)'], deny: ['Task(x)'] })).toBe('allow')
    const edit = callOf('edit', { path: 'a.txt' })
    expect((await testPolicy({ rules: { deny: ['MultiEdit(*.txt)'] } }).judge(edit)).behavior).toBe('deny')
  })

  it('for a server deny all of its tools', async () => {
    const judge = async (rule: string, tool: string) =>
      (await testPolicy({ mode: 'bypass', rules: { deny: [rule] } }).judge(callOf(tool, {}))).behavior
    expect(await judge('mcp__files', 'mcp__files__move')).toBe('deny')
    expect(await judge('mcp__files', 'mcp__filesystem__move')).toBe('allow')
    expect(await judge('mcp__files__move', 'mcp__files__move__all')).toBe('allow')
  })

  it('are not needed to read from or end a process, except in plan mode', async () => {
    const judge = async (mode: PermissionMode, action: string) =>
      (await testPolicy({ mode }).judge(callOf('process', { action, id: 'p1' }))).behavior
    const modes = ['default', 'accept-edits', 'auto', 'bypass', 'plan'] as const
    const ended = await Promise.all(modes.map((mode) => judge(mode, 'kill')))
    expect(ended).toEqual(['allow', 'allow', 'allow', 'allow', 'deny'])
    const read = await Promise.all(modes.map((mode) => judge(mode, 'read')))
    expect(read).toEqual(modes.map(() => 'allow'))
  })

  it('apply to input for a process as to commands', async () => {
    const write = callOf('process', { action: 'write', id: 'p1', input: 'rm x\n' })
    const policy = testPolicy({ mode: 'bypass', rules: { deny: ['Bash(rm:*)'] } })
    expect(await policy.judge(write)).toMatchObject({ behavior: 'deny', rule: 'Bash(rm:*)' })
    expect(await testPolicy().judge(write)).toMatchObject({ behavior: 'ask' })
    expect(await testPolicy().judge(callOf('process', { action: 'list' }, true))).toMatchObject({
      behavior: 'allow',
    })
  })

  it.each(['', 'Bash(', '(ls)', 'Bash(ls', 'WebFetch(example.com)'])(
    'throw config if they cannot be read: %j',
    async (text) => {
      expect(await thrown(() => testPolicy({ rules: { deny: [text] } }))).toMatchObject({
        code: 'config',
        details: { rule: text },
      })
    },
  )
})

describe('an answer of the user', () => {
  it('for the session applies to that tool and policy only', async () => {
    const policy = testPolicy()
    policy.allowForSession(edit.tool)
    expect(await policy.judge(edit)).toEqual({
      behavior: 'allow',
      source: 'session',
      rule: 'edit',
      reason: 'allowed for this session',
      judgedPaths: ['/home/user/proj/a.txt'],
    })
    expect(await policy.judge(run)).toMatchObject({ behavior: 'ask' })
    expect(await testPolicy().judge(edit)).toMatchObject({ behavior: 'ask' })
  })

  it('for the session overrides neither plan mode nor rules nor protected paths', async () => {
    const policy = testPolicy({ mode: 'plan', rules: { deny: ['Edit(secret)'] } })
    policy.allowForSession(edit.tool)
    expect(await policy.judge(edit)).toMatchObject({ behavior: 'deny' })
    policy.mode = 'default'
    expect(await policy.judge(callOf('edit', { path: 'secret' }))).toMatchObject({ behavior: 'deny' })
    expect(await policy.judge(callOf('edit', { path: '.git/config' }))).toMatchObject({ behavior: 'ask' })
  })

  it('may add rules, from the next call on', async () => {
    const policy = testPolicy()
    policy.allowRules(['Bash(touch a.txt)'])
    expect(await policy.judge(run)).toMatchObject({
      behavior: 'allow',
      source: 'session',
      rule: 'Bash(touch a.txt)',
    })
    expect(await policy.judge(callOf('bash', { command: 'touch b.txt' }))).toMatchObject({ behavior: 'ask' })
  })

  it('lists what the user allowed for the session, and no other rules', () => {
    const policy = testPolicy({ rules: { allow: ['Bash(make:*)'] } })
    policy.allowRules(['Bash(touch a.txt)'])
    policy.allowForSession(edit.tool)
    expect(policy.grants()).toEqual(['Bash(touch a.txt)', 'edit'])
  })
})

describe('a program of the project', () => {
  const own = '/home/user/proj/bin/wc'
  const policy = testPolicy({ projectProgram: (name) => (name === 'wc' ? own : undefined) })

  it.each(['wc a.txt', 'timeout 5 wc a.txt', 'cat list | xargs wc -l'])(
    'is asked about: %s',
    async (command) => {
      expect(await policy.judge(callOf('bash', { command }))).toMatchObject({
        behavior: 'ask',
        reason: expect.stringContaining(`runs ${own}, a program of the project`),
      })
    },
  )

  it.each(['cat wc', 'cat list | xargs echo'])('is not run by %s', async (command) => {
    expect(await policy.judge(callOf('bash', { command }))).toMatchObject({ behavior: 'allow' })
  })
})
