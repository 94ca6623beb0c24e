import { describe, expect, it } from 'vitest'
import { knownTools } from '../../src/cli/wiring/tools/known-tools.ts'
import type { JsonObject } from '../../src/json-value.ts'
import type { JudgedCall } from '../../src/permission.ts'
import type { ToolFacts } from '../../src/tool.ts'
import { folderWith } from '../support/folders/folder.ts'
import { able, callOf, type RuleLists, testPolicy } from '../support/permission/policy.ts'

/** A tool that nobody knows, with these facts. */
function stranger(facts: Partial<ToolFacts>, args: JsonObject = {}): JudgedCall {
  const tool = { name: 'stranger', capability: 'tool_edit_file', readOnly: () => false, ...facts } as const
  return { tool, arguments: args, actor: able }
}

const move = (from: string, to: string) => callOf('rename', { from, to })

async function behaviorIn(files: Readonly<Record<string, string>>, call: JudgedCall, rules: RuleLists = {}) {
  const cwd = await folderWith(files)
  const { behavior } = await testPolicy({ cwd, home: cwd, mode: 'accept-edits', rules }).judge(call)
  return behavior
}

describe('a tool that states paths', () => {
  it('is judged by each of them', async () => {
    const call = stranger({
      paths: () => [
        { path: 'a.txt', access: 'read' },
        { path: 'b.txt', access: 'write' },
      ],
    })
    const judged = (rules: RuleLists) => behaviorIn({ 'a.txt': '', 'b.txt': '' }, call, rules)
    expect(await judged({})).toBe('allow')
    expect(await judged({ deny: ['Read(a.txt)'] })).toBe('deny')
    expect(await judged({ deny: ['Edit(b.txt)'] })).toBe('deny')
    expect(await judged({ deny: ['Edit(a.txt)'] })).toBe('allow')
    expect(await judged({ ask: ['Edit(b.txt)'] })).toBe('ask')
    expect(await judged({ deny: ['stranger'] })).toBe('deny')
  })

  it('is asked about if it changes something but states only what it reads, or nothing', async () => {
    const reads = stranger({ paths: () => [{ path: 'a.txt', access: 'read' }] })
    expect(await behaviorIn({ 'a.txt': '' }, reads)).toBe('ask')
    expect(await behaviorIn({}, stranger({ paths: () => [] }))).toBe('ask')
    expect(await behaviorIn({}, stranger({}))).toBe('ask')
  })

  it('has no part in an answer about every edit unless it states what it edits', async () => {
    const policy = testPolicy()
    policy.allowForSession(callOf('edit', {}).tool)
    const states = stranger({ kind: 'edit', paths: () => [{ path: 'a.txt', access: 'write' }] })
    expect((await policy.judge(states)).behavior).toBe('allow')
    expect((await policy.judge(stranger({ kind: 'edit' }))).behavior).toBe('ask')
  })

  it('that says it only reads is still judged by a path that it writes', async () => {
    const call = stranger({ readOnly: () => true, paths: () => [{ path: '../b.txt', access: 'write' }] })
    expect(await behaviorIn({}, call)).toBe('ask')
  })
})

it('a copy of a folder is judged by all that it reads', async () => {
  const copy = stranger({
    paths: () => [
      { path: 'app', access: 'read' },
      { path: 'new', access: 'write', from: 'app' },
    ],
  })
  const judged = (deny: readonly string[]) => behaviorIn({ 'app/deep/secret.txt': '' }, copy, { deny })
  expect(await judged([])).toBe('allow')
  expect(await judged(['Read(app/deep/secret.txt)'])).toBe('deny')
  expect(await judged(['Read(app/deep/**)'])).toBe('deny')
  expect(await judged(['Edit(new/deep/**)'])).toBe('deny')
})

describe('a rename', () => {
  it('is judged by both paths', async () => {
    const files = { 'src/a.ts': '', 'src/b.ts': '' }
    const judged = (from: string, to: string, rules: RuleLists) => behaviorIn(files, move(from, to), rules)
    expect(await judged('src/a.ts', 'src/c.ts', {})).toBe('allow')
    expect(await judged('src/a.ts', '../c.ts', {})).toBe('ask')
    expect(await judged('../c.ts', 'src/c.ts', {})).toBe('ask')
    expect(await judged('src/a.ts', '.git/hooks/pre-commit', {})).toBe('ask')
    expect(await judged('src/a.ts', 'out/a.ts', { deny: ['Edit(out/**)'] })).toBe('deny')
    expect(await judged('src/a.ts', 'out/a.ts', { deny: ['Edit(src/**)'] })).toBe('deny')
    expect(await judged('src/a.ts', 'out/a.ts', { deny: ['Read(src/a.ts)'] })).toBe('deny')
  })

  it('of a folder is judged by all below it, where it is and where it goes', async () => {
    const files = { 'app/deep/.env': '', 'app/a.ts': '', 'tools/.vscode/tasks.json': '' }
    const judged = (from: string, rules: RuleLists) => behaviorIn(files, move(from, 'new'), rules)
    expect(await judged('app', {})).toBe('allow')
    expect(await judged('app', { deny: ['Read(**/.env)'] })).toBe('deny')
    expect(await judged('app', { deny: ['Edit(new/deep/**)'] })).toBe('deny')
    expect(await judged('app', { deny: ['Edit(new/other/**)'] })).toBe('allow')
    expect(await judged('tools', {})).toBe('ask')
  })

  it('needs allow rules for both', async () => {
    const cwd = await folderWith({ 'src/a.ts': '' })
    const judged = async (allow: readonly string[]) =>
      (await testPolicy({ cwd, home: cwd, rules: { allow } }).judge(move('src/a.ts', 'out/a.ts'))).behavior
    expect(await judged(['Edit(src/**)'])).toBe('ask')
    expect(await judged(['Edit(out/**)'])).toBe('ask')
    expect(await judged(['Edit(src/**)', 'Edit(out/**)'])).toBe('allow')
    expect(await judged(['rename'])).toBe('allow')
  })

  it('shows both paths in its question, and suggests a rule for each', async () => {
    const cwd = await folderWith({ 'src/a.ts': '' })
    const policy = testPolicy({ cwd, home: cwd })
    const rules = await policy.suggestRules(move('src/a.ts', 'out/a.ts'))
    expect(await policy.explain?.(move('src/a.ts', 'out/a.ts'), rules)).toMatchObject({
      title: 'Rename src/a.ts to out/a.ts?',
      covered: 'edits of src/**, edits of out/**',
      all: 'every edit',
    })
  })
})

it('the rules that are suggested for the move of a folder allow it', async () => {
  const cwd = await folderWith({ 'src/deep/a.ts': '', 'lib/b.ts': '' })
  for (const call of [move('src', 'new'), move('src', 'lib/src'), move('lib/b.ts', 'b.ts')]) {
    const policy = testPolicy({ cwd, home: cwd })
    policy.allowRules(await policy.suggestRules(call))
    expect((await policy.judge(call)).behavior).toBe('allow')
  }
})

const samples: Readonly<Record<string, JsonObject>> = {
  read: { path: 'secret' },
  write: { path: 'secret', content: '' },
  edit: { path: 'secret', old_text: 'a', new_text: 'b' },
  rename: { from: 'secret', to: 'b' },
  bash: { command: 'cat secret > secret' },
  process: { action: 'write', input: 'cat secret' },
  grep: { pattern: 'a', path: 'secret' },
  glob: { pattern: '*', path: 'secret' },
  fetch: { url: 'https://example.com/secret' },
  todo: {},
  recall: { query: 'a' },
  task: { action: 'add', text: 'a' },
  ask: {},
  remember: { text: 'a' },
  elf: { prompt: 'a' },
  find_tools: { query: 'a' },
  symbols: { path: 'secret' },
  references: { path: 'secret', name: 'a' },
}

describe('every tool', () => {
  it('has a sample here', () => {
    expect(knownTools.map(({ name }) => name).sort()).toEqual(Object.keys(samples).sort())
  })

  it.each(knownTools.map((tool) => [tool.name, tool] as const))(
    '%s only reads, states what it touches, or is asked about',
    async (name, tool) => {
      const args = samples[name] ?? {}
      const call = { tool, arguments: args, actor: { ...able, capabilities: [tool.capability] } }
      const cwd = await folderWith({ secret: '' })
      const judge = async (rules: RuleLists) =>
        (await testPolicy({ cwd, home: cwd, rules }).judge(call)).behavior
      const statesFiles = tool.paths !== undefined || tool.command !== undefined || tool.input !== undefined
      if (statesFiles) expect(await judge({ deny: ['Read(secret)'] })).not.toBe('allow')
      if (statesFiles && !tool.readOnly(args))
        expect(await judge({ deny: ['Edit(secret)'] })).not.toBe('allow')
      if (!tool.readOnly(args)) expect(await judge({})).toBe('ask')
    },
  )
})
