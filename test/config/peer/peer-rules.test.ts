import { describe, expect, it } from 'vitest'
import { readPeerRule } from '../../../src/config/peer/peer-rules.ts'

const tools: Readonly<Record<string, string>> = { Task: 'elf', TodoWrite: 'todo', BashOutput: 'process' }
const read = (rule: unknown, behavior: 'deny' | 'ask' | 'allow' = 'deny') =>
  readPeerRule(rule, behavior, (word) => tools[word])

describe('a rule of another agent', () => {
  it.each([
    'Bash(npm run test:*)',
    'Bash',
    'Read(./.env)',
    'Read(//etc/hosts)',
    'Read(~/x)',
    'Edit(src/**)',
    'Write(a)',
    'WebFetch(domain:example.com)',
    'mcp__files__read',
    'mcp__files',
    'mcp__*',
  ])('that means the same here stays as it is: %s', (rule) => {
    for (const behavior of ['deny', 'ask', 'allow'] as const)
      expect(read(rule, behavior)).toEqual({ rules: [rule] })
  })

  it.each([
    ['TodoWrite', ['todo']],
    ['Agent', ['elf']],
    ['Task(*)', ['elf']],
    ['Skill(deploy)', ['Read(**/skills/**/deploy/SKILL.md)']],
    ['Skill(tools:deploy *)', ['Read(**/skills/**/deploy/SKILL.md)']],
    ['Skill', ['Read(**/SKILL.md)']],
  ])('gets the names that are ours: %s', (rule, rules) => {
    expect(read(rule)).toEqual({ rules })
  })

  it.each([
    ['LS', 'Read'],
    ['LS(src)', 'Read(src)'],
    ['Glob(src/**)', 'Glob(src/**)'],
  ])('about listing covers reading, but allows none: %s', (rule, ours) => {
    for (const behavior of ['deny', 'ask'] as const) expect(read(rule, behavior)).toEqual({ rules: [ours] })
    expect(read(rule, 'allow')).toEqual({ rules: [], note: expect.stringContaining('allows nothing') })
  })

  it.each([
    ['Agent(Explore)', ['elf'], 'covers every use of the tool elf'],
    ['WebFetch(https://example.com/*)', ['WebFetch'], 'covers every page: expected domain:HOST'],
  ])('that cannot be told apart covers the whole tool, or allows nothing: %s', (rule, rules, note) => {
    expect(read(rule, 'deny')).toEqual({ rules, note })
    expect(read(rule, 'allow')).toEqual({ rules: [], note: expect.stringContaining('allows nothing') })
  })

  it('that cannot be read asks about all that it may be about, and allows nothing', () => {
    const all = { rules: ['Bash', 'Edit', 'WebFetch', 'mcp__*'], isGuess: true, note: expect.any(String) }
    for (const broken of ['', '*', 'rm -rf /', 7, { tool: 'Bash' }, null]) {
      expect(read(broken)).toEqual(all)
      expect(read(broken, 'allow')).toEqual({ rules: [], note: 'cannot be read, so it allows nothing' })
    }
    expect(read('Bash(rm -rf')).toEqual({
      rules: ['Bash'],
      isGuess: true,
      note: 'cannot be read, so pipe asks about every use of Bash',
    })
  })

  it('for a tool that nothing here is like has no effect and says so, and one for an unknown tool stays', () => {
    expect(read('WebSearch')).toEqual({ rules: [], note: 'has no effect: no tool here does this' })
    expect(read('OwnTool(x)')).toEqual({ rules: ['OwnTool(x)'] })
  })
})
