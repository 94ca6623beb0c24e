import { expect, it } from 'vitest'
import { inFields, type Shape, type ShapeFiles, shapeOf } from '../../../../support/plugins/shape.ts'

it.each<[string, ShapeFiles, Shape]>([
  [
    'examples in one line, with escapes',
    {
      'agents/code-reviewer.md': inFields(
        'name: code-reviewer',
        'description: Use this agent after code. Examples:\\n<example>\\nuser: "done"\\nassistant: "I\'ll review: now"\\n</example>',
        'model: inherit',
        'color: blue',
        'tools: Glob, Grep, LS, Read, NotebookRead, WebFetch, TodoWrite, WebSearch, KillShell, BashOutput',
      ),
    },
    {
      reads: [
        'agent p:code-reviewer: Use this agent after code. Examples:\\n<example>\\nuser: "done"\\nassistant: "I\'ll review: now"\\n</example> (tools: glob, grep, read, fetch, todo, process)',
      ],
      notes: ['ROOT/agents/code-reviewer.md: 6: there is no tool "LS", "NotebookRead", "WebSearch"'],
    },
  ],
  [
    'all tools',
    { 'agents/a.md': inFields('name: a', 'description: Does.', 'tools: "*"') },
    { reads: ['agent p:a: Does. (tools: all)'] },
  ],
  [
    'all tools in a list',
    { 'agents/a.md': inFields('name: a', 'description: Does.', "tools: ['*']") },
    { reads: ['agent p:a: Does. (tools: all)'] },
  ],
  [
    'tools in a list below',
    { 'agents/a.md': inFields('name: a', 'description: Does.', 'tools:', '  - Read', '  - Bash') },
    { reads: ['agent p:a: Does. (tools: read, bash)'] },
  ],
  [
    'tools in brackets with quotes',
    { 'agents/a.md': inFields('name: a', 'description: Does.', 'tools: ["Read", "Grep", "mcp__db__query"]') },
    { reads: ['agent p:a: Does. (tools: read, grep, mcp__db__query)'] },
  ],
  [
    'the long model',
    { 'agents/a.md': inFields('name: a', 'description: Does.', 'model: opus[1m]') },
    { reads: ['agent p:a: Does. (tools: all; model: route strong)'] },
  ],
  [
    'tools that it may not use',
    { 'agents/a.md': inFields('name: a', 'description: Does.', 'disallowedTools: Write, Edit, Bash') },
    { reads: ['agent p:a: Does. (tools: all but write, edit, bash)'] },
  ],
  [
    'a mode, turns and skills',
    {
      'agents/a.md': inFields(
        'name: a',
        'description: Does.',
        'permissionMode: plan',
        'maxTurns: 12',
        'skills: one, two',
        'memory: project',
        'background: true',
      ),
    },
    { reads: ['agent p:a: Does. (tools: all; mode: plan)'] },
  ],
  [
    'rules about what its tools may do',
    {
      'agents/a.md': inFields(
        'name: a',
        'description: Does.',
        'tools: Read, Bash(git diff:*), Bash(git log:*)',
      ),
    },
    { reads: ['agent p:a: Does. (tools: read, Bash(git diff:*), Bash(git log:*))'] },
  ],
  [
    'a folded description and a list of tags',
    {
      'agents/a.md': inFields(
        'name: a',
        'description: >-',
        '  Reads logs',
        '  and tells why.',
        'tags:',
        '  - ops',
      ),
    },
    {
      reads: ['agent p:a: Reads logs and tells why. (tools: all)'],
      notes: ['ROOT/agents/a.md: 6: ignored the unknown field tags'],
    },
  ],
  [
    'blanks in its name and its file',
    { 'agents/Data Analyst.md': inFields('name: Data Analyst', 'description: Does.') },
    {
      reads: ['agent p:Data-Analyst: Does. (tools: all)'],
      notes: ['ROOT/agents/Data Analyst.md: 1: it is called Data-Analyst: use only letters, digits, - and _'],
    },
  ],
  [
    'TOML of Codex',
    {
      'agents/pr.toml': [
        'name = "pr_explorer"',
        'description = "Maps code."',
        'sandbox_mode = "read-only"',
        'model_reasoning_effort = "high"',
        'developer_instructions = """',
        'Look: only.',
        '"""',
      ],
    },
    { reads: ['agent p:pr_explorer: Maps code. (tools: all; mode: plan)'] },
  ],
  [
    'no name',
    { 'agents/helper.md': inFields('description: Helps.') },
    {
      reads: ['agent p:helper: Helps. (tools: all)'],
      notes: ['ROOT/agents/helper.md: 1: it is called helper: use only letters, digits, - and _'],
    },
  ],
  [
    'a README beside it',
    { 'agents/README.md': '# Agents', 'agents/a.md': inFields('name: a', 'description: Does.') },
    { reads: ['agent p:a: Does. (tools: all)'] },
  ],
  [
    'a tool that nobody knows',
    { 'agents/a.md': inFields('name: a', 'description: Does.', 'tools: Read, Teleport') },
    {
      reads: ['agent p:a: Does. (tools: read)'],
      notes: ['ROOT/agents/a.md: 4: there is no tool "Teleport"'],
    },
  ],
  [
    'servers and hooks of its own',
    {
      'agents/a.md': inFields(
        'name: a',
        'description: Does.',
        'mcpServers:',
        '  - github',
        'hooks:',
        '  PreToolUse:',
        '    - matcher: Bash',
        '      hooks:',
        '        - type: command',
        '          command: ./check.sh',
      ),
    },
    { reads: ['agent p:a: Does. (tools: all; hooks: PreToolUse ./check.sh)'] },
  ],
])('an agent with %s', async (_, files, shape) => {
  expect(await shapeOf(files)).toEqual(shape)
})
