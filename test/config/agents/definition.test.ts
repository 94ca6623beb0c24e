import { describe, expect, it } from 'vitest'
import { findToolName } from '../../../src/cli/wiring/tools/known-tools.ts'
import { readDefinition } from '../../../src/config/agents/definition.ts'
import { builtinAgents } from '../../../src/config/agents/find-agents.ts'
import { ok, refused } from '../../../src/machine/result.ts'

const file = (source: 'project' | 'peer', ...fields: readonly string[]) =>
  readDefinition(
    ['---', 'name: a', 'description: does a', ...fields, '---', 'Be a.', ''].join('\n'),
    { source },
    findToolName,
  )

const read = (settings: object, ...notes: readonly string[]) =>
  ok({
    definition: {
      name: 'a',
      description: 'does a',
      source: expect.any(String),
      prompt: 'Be a.',
      ...settings,
    },
    notes,
  })

describe('an agent', () => {
  it('has what its fields say, and names fields without an effect', () => {
    expect(
      file(
        'project',
        'model: openai/gpt-5:high',
        'tools: [read, Bash]',
        'mode: plan',
        'isolation: worktree',
        'color: red',
        'hooks:',
        '  Stop:',
        '    - x',
      ),
    ).toEqual(
      read(
        { model: 'openai/gpt-5:high', tools: ['read', 'bash'], mode: 'plan', isolation: 'worktree' },
        '8: ignored the unknown field color',
        '9: ignored the unknown field hooks',
      ),
    )
  })

  it.each([
    ['name: ../b', '2: name takes letters, digits, - and _, at most 64, not "../b"'],
    [
      'description: b\nmodel: gpt',
      '3: model takes provider/model; the name of a route goes in the field route, not "gpt"',
    ],
    ['mode: yolo', '2: mode takes plan, default, accept-edits, auto, bypass, not "yolo"'],
    ['isolation: vm', '2: isolation takes worktree or none, not "vm"'],
    ['route: a/b', '2: route takes the name of a route, such as fast, not "a/b"'],
    ['tools: |', '2: | (text over several lines) is not supported; put text that begins with it in quotes'],
    ['description: b', '1: the field name is missing'],
    ['name: b', '1: the field description is missing'],
    ['name: b\ndescription: b\nmodel: a/b\nroute: fast', '1: it has a model and a route; keep one'],
  ])('of %j is refused with its line', (fields, reason) => {
    expect(readDefinition(`---\n${fields}\n---\n`, { source: 'user' }, findToolName)).toEqual(refused(reason))
  })

  it('loses characters that only a model would see', () => {
    const content = '---\nname: a\ndescription: does \u{e0041}a\n---\nBe a.\u{e0042}\n'
    expect(readDefinition(content, { source: 'user' }, findToolName)).toEqual(read({}))
  })
})

describe('an agent of Claude Code', () => {
  it('gets our names of its tools, and those without one are named', () => {
    expect(
      file('peer', 'tools: Read, Grep, Glob, Bash, Edit, MultiEdit, Write, WebFetch, WebSearch, Bash(ls:*)'),
    ).toEqual(
      read(
        { tools: ['read', 'grep', 'glob', 'bash', 'edit', 'write', 'fetch'] },
        '4: there is no tool "WebSearch", "Bash(ls:*)"',
      ),
    )
  })

  it('may start agents where it may use Task, and has none of our tasks by that', () => {
    expect(file('peer', 'tools: Read, Task')).toEqual(read({ tools: ['read', 'elf'] }))
    expect(file('project', 'tools: read, task')).toEqual(read({ tools: ['read', 'task'] }))
  })

  it.each([
    ['inherit', {}],
    ['haiku', { route: 'fast' }],
    ['sonnet', { route: 'default' }],
    ['opus', { route: 'strong' }],
    ['claude-opus-5', { model: 'anthropic/claude-opus-5' }],
    ['openai/gpt-5', { model: 'openai/gpt-5' }],
  ])('with the model %s has %j', (model, settings) => {
    expect(file('peer', `model: ${model}`)).toEqual(read(settings))
  })

  it('names the first of many unknown tools', () => {
    const names = Array.from({ length: 12 }, (_, i) => `T${i}`)
    const first = names.slice(0, 10).map((name) => JSON.stringify(name))
    expect(file('peer', `tools: ${names.join(', ')}`)).toEqual(
      read({ tools: [] }, `4: there is no tool ${first.join(', ')} and 2 more`),
    )
  })

  it('of a project may not be played by a script of it', () => {
    const refusal = refused('4: model takes no script in a project, not "replay/x.json"')
    expect(file('peer', 'model: replay/x.json')).toEqual(refusal)
    expect(file('project', 'model: replay/x.json')).toEqual(refusal)
  })

  it('uses the usual model instead of an unknown one, and names that', () => {
    expect(file('peer', 'model: best')).toEqual(read({}, '4: ignored the unknown model "best"'))
  })
})

it('the built-in agents only read, except general, which may do all', () => {
  expect(
    builtinAgents(findToolName).map(({ name, tools: own, mode, route }) => ({
      name,
      tools: own,
      mode,
      route,
    })),
  ).toEqual([
    { name: 'explore', tools: ['read', 'grep', 'glob'], mode: 'plan', route: 'fast' },
    { name: 'general', tools: undefined, mode: undefined, route: undefined },
    { name: 'review', tools: ['read', 'grep', 'glob', 'bash'], mode: 'plan', route: undefined },
  ])
})
