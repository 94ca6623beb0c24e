import { describe, expect, it } from 'vitest'
import { agentTools } from '../../../src/cli/wiring/tools/known-tools.ts'
import { readDefinition } from '../../../src/config/agents/definition.ts'
import { builtinAgents } from '../../../src/config/agents/find-agents.ts'
import { ok, refused } from '../../../src/machine/result.ts'

const file = (source: 'project' | 'peer', ...fields: readonly string[]) =>
  readDefinition(
    ['---', 'name: a', 'description: does a', ...fields, '---', 'Be a.', ''].join('\n'),
    { source },
    agentTools,
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
        'topics: red',
      ),
    ).toEqual(
      read(
        { model: 'openai/gpt-5:high', tools: ['read', 'bash'], mode: 'plan', isolation: 'worktree' },
        '9: ignored the unknown field topics',
      ),
    )
  })

  it.each([
    ['mode: yolo', '2: mode takes plan, default, accept-edits, auto, bypass, not "yolo"'],
    ['isolation: vm', '2: isolation takes worktree or none, not "vm"'],
    ['route: a/b', '2: route takes the name of a route, such as fast, not "a/b"'],
    ['tools: |', '2: | (text over several lines) is not supported; put text that begins with it in quotes'],
    [
      'disallowedTools: [Write, Agent(b)]',
      '2: disallowedTools cannot take away "b"; name whole tools, or rules',
    ],
    [
      'disallowedTools: WebFetch(evil)',
      '2: disallowedTools cannot take away "WebFetch(evil)"; name whole tools, or rules',
    ],
    ['disallowedTools: "*"', '2: disallowedTools takes names of tools, not "*"; tools: [] offers none'],
    [
      'tools: Read, Bash(git diff',
      '2: "Bash(git diff" is not a tool: expected Tool or Tool(what), such as Bash(git diff:*)',
    ],
    ['tools:', '2: tools is empty; leave it out, or write []'],
    ['permissionMode: delegate', '2: mode takes plan, default, accept-edits, auto, bypass, not "delegate"'],
    ['maxTurns: many', '2: maxTurns takes a number of rounds from 1 on, not "many"'],
    ['maxTurns: 0', '2: maxTurns takes a number of rounds from 1 on, not "0"'],
    ['mcpServers: 3', '2: mcpServers takes names of MCP servers'],
    ['hooks: none', '2: hooks takes events, each with a list of hooks'],
    ['dissallowedTools: Bash', '2: there is no field dissallowedTools; did you mean disallowedTools?'],
    [
      'permission:\n  bash: deny',
      '2: pipe cannot read permission, which may limit the agent; use tools, disallowedTools or mode',
    ],
    ['tools: Read\nallowed-tools: Bash', '3: allowed-tools repeats line 2'],
    ['disabled: true', '2: its own file turns it off: disabled takes false, not "true"'],
    ['description: b', '1: the field name is missing'],
    ['name: b', '1: the field description is missing'],
    ['name: b\ndescription: b\nmodel: a/b\nroute: fast', '1: it has a model and a route; keep one'],
  ])('of %j is refused with its line', (fields, reason) => {
    expect(readDefinition(`---\n${fields}\n---\n`, { source: 'user' }, agentTools)).toEqual(refused(reason))
  })

  it.each(['*', '"*"', "['*']", '\n  - "*"'])('has all tools with tools: %s', (all) => {
    expect(file('peer', `tools: ${all}`)).toEqual(read({}))
  })

  it('may be denied tools', () => {
    expect(file('peer', 'disallowedTools: Write, Bash, Nothing')).toEqual(
      read({ disallowedTools: ['write', 'bash'] }, '4: there is no tool "Nothing"'),
    )
  })

  it('has no tool that it both names and disallows', () => {
    expect(file('peer', 'tools: Read, Bash', 'disallowedTools: Bash')).toEqual(
      read({ tools: ['read'], disallowedTools: ['bash'] }),
    )
  })

  it('loses characters that only a model would see', () => {
    const content = '---\nname: a\ndescription: does \u{e0041}a\n---\nBe a.\u{e0042}\n'
    expect(readDefinition(content, { source: 'user' }, agentTools)).toEqual(read({}))
  })
})

describe('an agent of Claude Code', () => {
  it('gets our names of its tools, and those without one are named', () => {
    expect(
      file('peer', 'tools: Read, Grep, Glob, Bash, Edit, MultiEdit, Write, WebFetch, WebSearch, Frob(x)'),
    ).toEqual(
      read(
        { tools: ['read', 'grep', 'glob', 'bash', 'edit', 'write', 'fetch'] },
        '4: there is no tool "WebSearch", "Frob(x)"',
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
    ['opus[1m]', { route: 'strong' }],
    ['claude-sonnet-5[1m]', { model: 'anthropic/claude-sonnet-5' }],
    ['gpt-5.4', { model: 'openai/gpt-5.4' }],
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
    const refusal = refused('4: model cannot be a script in a project, not "replay/x.json"')
    expect(file('peer', 'model: replay/x.json')).toEqual(refusal)
    expect(file('project', 'model: replay/x.json')).toEqual(refusal)
  })

  it('uses the usual model instead of an unknown one, and names that', () => {
    expect(file('peer', 'model: best')).toEqual(
      read(
        {},
        '4: ignored the unknown model "best": it takes provider/model; a route goes in the field route',
      ),
    )
  })
})

it('the built-in agents only read, except general, which may do all', () => {
  expect(
    builtinAgents(agentTools).map(({ name, tools: own, mode, route }) => ({
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
