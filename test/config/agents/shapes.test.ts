import { describe, expect, it } from 'vitest'
import { agentTools } from '../../../src/cli/wiring/tools/known-tools.ts'
import { readDefinition } from '../../../src/config/agents/definition.ts'

/** Reads a file as it may lie in a folder of agents, and returns what is not the same in all. */
function shape(path: string, lines: string | readonly string[]) {
  const content = typeof lines === 'string' ? lines : lines.join('\n')
  const read = readDefinition(content, { source: 'peer', path }, agentTools)
  if (read.type === 'refused') return read.reason
  const { source: _, path: __, prompt: ___, ...definition } = read.value.definition
  return { ...definition, ...(read.value.notes.length > 0 && { notes: read.value.notes }) }
}

const markdown = (...fields: readonly string[]) => ['---', ...fields, '---', 'Do the work.', '']

describe('a file of Claude Code', () => {
  it.each<readonly [string, readonly string[], object | string]>([
    [
      'with a long description in one line, examples and escapes included',
      [
        'name: code-reviewer',
        String.raw`description: Use this agent when code is done. Examples: <example>user: "done"\n<commentary>Review: it</commentary></example>`,
        'model: sonnet',
        'color: green',
      ],
      {
        name: 'code-reviewer',
        description: expect.stringContaining('<commentary>Review: it'),
        route: 'default',
      },
    ],
    [
      'with a folded description, without the breaks at its end',
      ['name: a', 'description: >-', '  Reads logs', '  and tells: why', 'tools: Read'],
      { name: 'a', description: 'Reads logs and tells: why', tools: ['read'] },
    ],
    [
      'with a description that keeps its lines',
      ['name: a', 'description: |', '  One.', '', '  - two', 'tools: Read'],
      { name: 'a', description: 'One.\n\n- two', tools: ['read'] },
    ],
    [
      'with a plain description that goes on below',
      ['name: a', 'description: Reads logs', '  and tells why'],
      { name: 'a', description: 'Reads logs and tells why' },
    ],
    [
      'with a description in single quotes',
      ['name: a', "description: 'It''s for: logs'"],
      { name: 'a', description: "It's for: logs" },
    ],
    [
      'with blanks in its name',
      ['name: Code Reviewer (Go)', 'description: a'],
      {
        name: 'Code-Reviewer-Go',
        description: 'a',
        notes: ['1: it is called Code-Reviewer-Go: use only letters, digits, - and _'],
      },
    ],
    [
      'without a name',
      ['description: a'],
      {
        name: 'my-agent',
        description: 'a',
        notes: ['1: it is called my-agent: use only letters, digits, - and _'],
      },
    ],
    [
      'without a description',
      ['name: a'],
      {
        name: 'a',
        description: 'Do the work.',
        notes: ['1: the field description is missing, so its first line stands for it'],
      },
    ],
    ['with all tools', ['name: a', 'description: a', 'tools: "*"'], { name: 'a', description: 'a' }],
    ['with a bare star', ['name: a', 'description: a', 'tools: *'], { name: 'a', description: 'a' }],
    [
      'with a list of tools in lines, comments between them',
      ['name: a', 'description: a', 'tools:', '  - Read', '  # files', '  - Bash', '  - mcp__docs__find'],
      { name: 'a', description: 'a', tools: ['read', 'bash', 'mcp__docs__find'] },
    ],
    [
      'with a list of tools in brackets over two lines',
      ['name: a', 'description: a', 'tools: [Read, Grep,', '  Glob]'],
      { name: 'a', description: 'a', tools: ['read', 'grep', 'glob'] },
    ],
    [
      'with some commands alone',
      ['name: a', 'description: a', 'tools: Bash(git diff:*), Bash(npm run test:*), Read'],
      {
        name: 'a',
        description: 'a',
        tools: ['bash', 'read'],
        onlyCalls: { bash: ['Bash(git diff:*)', 'Bash(npm run test:*)'] },
      },
    ],
    [
      'with commas in parentheses',
      ['name: a', 'description: a', 'tools: Bash(git log --format=%h,%s), Read(src/**), Edit(src/**)'],
      {
        name: 'a',
        description: 'a',
        tools: ['bash', 'read', 'edit'],
        onlyCalls: {
          bash: ['Bash(git log --format=%h,%s)'],
          read: ['Read(src/**)'],
          edit: ['Edit(src/**)'],
        },
      },
    ],
    [
      'with all of a tool besides a part of it',
      ['name: a', 'description: a', 'tools: Bash, Bash(ls:*), WebFetch(domain:example.com), Read(*)'],
      {
        name: 'a',
        description: 'a',
        tools: ['bash', 'fetch', 'read'],
        onlyCalls: { fetch: ['WebFetch(domain:example.com)'] },
      },
    ],
    [
      'that may start some agents',
      ['name: a', 'description: a', 'tools: Agent(reviewer, tester), Read'],
      { name: 'a', description: 'a', tools: ['elf', 'read'], startable: ['reviewer', 'tester'] },
    ],
    [
      'that may start agents by the old name',
      ['name: a', 'description: a', 'tools: Task(reviewer), Task'],
      { name: 'a', description: 'a', tools: ['elf'] },
    ],
    [
      'with tools that pipe does not have',
      ['name: a', 'description: a', 'tools: Read, LSP, Skill(pdf), NotebookRead'],
      {
        name: 'a',
        description: 'a',
        tools: ['read'],
        notes: [expect.stringMatching(/^4: there is no tool "LSP".*"Skill\(pdf\)"/)],
      },
    ],
    [
      'with tools that pipe does not have alone',
      ['name: a', 'description: a', 'tools: LSP'],
      { name: 'a', description: 'a', tools: [], notes: ['4: there is no tool "LSP"'] },
    ],
    [
      'without some tools',
      ['name: a', 'description: a', 'disallowedTools: Write, Edit, Bash(rm:*), mcp__github__*'],
      {
        name: 'a',
        description: 'a',
        disallowedTools: ['write', 'edit', 'mcp__github__*'],
        disallowedCalls: ['Bash(rm:*)'],
      },
    ],
    [
      'without the tool that starts agents',
      ['name: a', 'description: a', 'disallowedTools: Agent'],
      { name: 'a', description: 'a', disallowedTools: ['elf'] },
    ],
    [
      'with tools in the words of commands',
      ['name: a', 'description: a', 'allowed-tools: Read, Grep'],
      { name: 'a', description: 'a', tools: ['read', 'grep'] },
    ],
    ...(
      [
        ['default', { mode: 'default' }],
        ['manual', { mode: 'default' }],
        ['acceptEdits', { mode: 'accept-edits' }],
        ['plan', { mode: 'plan' }],
        ['auto', { mode: 'auto' }],
        ['bypassPermissions', { mode: 'bypass' }],
        ['dontAsk', { mode: 'accept-edits', neverAsks: true }],
      ] as const
    ).map(
      ([mode, settings]) =>
        [
          `in the mode ${mode}`,
          ['name: a', 'description: a', `permissionMode: ${mode}`],
          { name: 'a', description: 'a', ...settings },
        ] as const,
    ),
    [
      'in an unknown mode',
      ['name: a', 'description: a', 'permissionMode: yolo'],
      '4: mode takes plan, default, accept-edits, auto, bypass, not "yolo"',
    ],
    [
      'with two modes, of which the stricter holds',
      ['name: a', 'description: a', 'readonly: true', 'permissionMode: acceptEdits'],
      { name: 'a', description: 'a', mode: 'plan' },
    ],
    [
      'with limits of its turns and servers',
      ['name: a', 'description: a', 'maxTurns: 12', 'mcpServers: github, docs'],
      { name: 'a', description: 'a', maxRounds: 12, servers: ['github', 'docs'] },
    ],
    [
      'with servers of its own',
      ['name: a', 'description: a', 'mcpServers:', '  - github', '  - play:', '      command: npx'],
      {
        name: 'a',
        description: 'a',
        servers: ['github', 'play'],
        ownServers: [{ name: 'play', access: { type: 'stdio', command: 'npx', args: [], env: {} } }],
      },
    ],
    [
      'with a server of its own that cannot start',
      ['name: a', 'description: a', 'mcpServers:', '  - play:', '      args: [x]'],
      {
        name: 'a',
        description: 'a',
        servers: ['play'],
        notes: ['4: of its own MCP servers, "play" is not started: it has neither a command nor a url'],
      },
    ],
    [
      'with all that says how it works',
      [
        'name: a',
        'description: a',
        'effort: max',
        'background: true',
        'isolation: worktree',
        'skills:',
        '  - pdf',
        '  - docs',
        'initialPrompt: Read the plan first.',
        'memory: project',
      ],
      {
        name: 'a',
        description: 'a',
        thinking: 'xhigh',
        background: true,
        isolation: 'worktree',
        skills: ['pdf', 'docs'],
        firstPrompt: 'Read the plan first.',
        memory: 'project',
      },
    ],
    [
      'with hooks',
      [
        'name: a',
        'description: a',
        'hooks:',
        '  PreToolUse:',
        "    - matcher: 'Bash'",
        '      hooks:',
        '        - type: command',
        '          command: ./guard.sh',
      ],
      {
        name: 'a',
        description: 'a',
        hooks: {
          PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './guard.sh' }] }],
        },
      },
    ],
    [
      'with hooks that nobody can read',
      ['name: a', 'description: a', 'hooks:', '  PreToolUse: &x', '    - matcher: Bash'],
      '5: & (anchors) is not supported; put text that begins with it in quotes',
    ],
    [
      'with fields for people',
      ['name: a', 'description: a', 'version: 1.0', 'emoji: 🎨', 'tags: [x, y]'],
      {
        name: 'a',
        description: 'a',
        notes: [
          '4: ignored the unknown field version',
          '5: ignored the unknown field emoji',
          '6: ignored the unknown field tags',
        ],
      },
    ],
    [
      'with a misspelled limit',
      ['name: a', 'description: a', 'permisionMode: plan'],
      '4: there is no field permisionMode; did you mean permissionMode?',
    ],
    [
      'with its limits in capitals',
      ['name: a', 'description: a', 'Tools: Read', 'disallowed_tools: Bash'],
      { name: 'a', description: 'a', tools: ['read'], disallowedTools: ['bash'] },
    ],
    [
      'whose tools are no list',
      ['name: a', 'description: a', 'tools:', '  write: false'],
      '5: expected a list item, such as - read',
    ],
  ])('%s', (_, fields, expected) => {
    expect(shape('/x/my agent.md', markdown(...fields))).toEqual(expected)
  })

  it('with a byte order mark and the line ends of Windows', () => {
    const content = `\ufeff${markdown('name: a', 'description: a', 'tools: Read').join('\r\n')}`
    expect(shape('/x/a.md', content)).toEqual({ name: 'a', description: 'a', tools: ['read'] })
  })

  it('without a text', () => {
    expect(shape('/x/a.md', '---\nname: a\ndescription: b\n---')).toEqual({ name: 'a', description: 'b' })
    expect(shape('/x/a.md', '---\nname: a\n---\n')).toBe('1: the field description is missing')
  })

  it('without fields', () => {
    expect(shape('/x/a.md', 'Do it.')).toBe('1: expected --- in a line of its own, then the fields')
  })
})

describe('a file of Codex', () => {
  it.each<readonly [string, readonly string[], object | string]>([
    [
      'with what it needs',
      ['name = "pr_explorer"', 'description = "Maps: code."', 'developer_instructions = """', 'Look.', '"""'],
      { name: 'pr_explorer', description: 'Maps: code.' },
    ],
    [
      'that only reads, with a model and its effort',
      [
        'name = "reviewer"',
        'description = "Reviews."',
        'model = "gpt-5.4"',
        'model_reasoning_effort = "high"',
        'sandbox_mode = "read-only"',
        'nickname_candidates = ["Atlas", "Echo"]',
      ],
      {
        name: 'reviewer',
        description: 'Reviews.',
        model: 'openai/gpt-5.4',
        thinking: 'high',
        mode: 'plan',
      },
    ],
    [
      'that writes in its folder and asks nothing',
      ['name = "a"', 'description = "a"', 'sandbox_mode = "workspace-write"', 'approval_policy = "never"'],
      { name: 'a', description: 'a', mode: 'accept-edits', neverAsks: true },
    ],
    [
      'that asks to do anything',
      ['name = "a"', 'description = "a"', 'sandbox_mode = "danger-full-access"'],
      {
        name: 'a',
        description: 'a',
        notes: ['3: sandbox_mode has no effect: a file gives an agent no more than you have'],
      },
    ],
    [
      'with a sandbox that pipe does not know',
      ['name = "a"', 'description = "a"', 'sandbox_mode = "vm"'],
      '3: sandbox_mode takes read-only, workspace-write or danger-full-access, not "vm"',
    ],
    [
      'with servers of its own and skills',
      [
        'name = "a"',
        'description = "a"',
        '[mcp_servers.docs]',
        'url = "https://example.com/mcp"',
        '[[skills.config]]',
        'path = "/x"',
        'enabled = false',
      ],
      {
        name: 'a',
        description: 'a',
        servers: ['docs'],
        ownServers: [{ name: 'docs', access: { type: 'http', url: 'https://example.com/mcp', headers: {} } }],
        notes: ['5: skills has no effect: it takes a list of names'],
      },
    ],
    [
      'with permissions that pipe cannot read',
      ['name = "a"', 'description = "a"', 'default_permissions = "strict"'],
      '3: pipe cannot read default_permissions, which may limit the agent; use tools, disallowedTools or mode',
    ],
    [
      'with a web search',
      ['name = "a"', 'description = "a"', 'web_search = "live"'],
      { name: 'a', description: 'a', notes: ['3: ignored the unknown field web_search'] },
    ],
    ['that is broken', ['name = a'], '1: not valid TOML: invalid value'],
  ])('%s', (_, lines, expected) => {
    expect(shape('/x/a.toml', lines)).toEqual(expected)
  })
})
