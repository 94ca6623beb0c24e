import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../../src/json-value.ts'
import { inFields, type Shape, type ShapeFiles, shapeOf } from '../../../../support/plugins/shape.ts'

it.each<[string, ShapeFiles, Shape, JsonObject?]>([
  [
    'the least manifest',
    { '.claude-plugin/plugin.json': { name: 'tiny' }, 'commands/x.md': 'Do.' },
    { reads: ['command /tiny:x: Do.'] },
  ],
  [
    'no manifest',
    { 'skills/x/SKILL.md': inFields('name: x', 'description: Reads.') },
    { reads: ['skill p:x: Reads.'] },
  ],
  [
    'a manifest of Codex with an interface',
    {
      '.codex-plugin/plugin.json': {
        name: 'cx',
        version: '0.1.0',
        skills: './skills/',
        mcpServers: './.mcp.json',
        apps: './.app.json',
        interface: { displayName: 'CX', category: 'Dev' },
      },
      'skills/x/SKILL.md': inFields('name: x', 'description: Reads.'),
      '.mcp.json': { mcpServers: { s: { command: './bin/serve' } } },
      '.app.json': {},
    },
    {
      reads: [
        `MCP server plugin:cx:s: \${CLAUDE_PLUGIN_ROOT}/bin/serve (in \${CLAUDE_PLUGIN_ROOT})`,
        'skill cx:x: Reads.',
      ],
      notes: ['no effect here: connected apps'],
    },
  ],
  [
    'servers without a wrapper',
    {
      '.claude-plugin/plugin.json': { name: 'p' },
      '.mcp.json': {
        docs: { type: 'http', url: 'https://mcp.example.org/mcp' },
        run: { command: 'npx', args: ['-y', '@acme/mcp@1'], env: { TOKEN: `\${TOKEN}` } },
      },
    },
    {
      reads: [
        'MCP server plugin:p:docs: https://mcp.example.org/mcp',
        `MCP server plugin:p:run: TOKEN=\${TOKEN} npx -y @acme/mcp@1`,
      ],
    },
  ],
  [
    'servers in the manifest, with the folder of the plugin',
    {
      '.claude-plugin/plugin.json': {
        name: 'p',
        mcpServers: {
          s: {
            command: `\${CLAUDE_PLUGIN_ROOT}/servers/run`,
            args: ['--config', `\${CLAUDE_PLUGIN_ROOT}/c.json`],
            cwd: `\${CLAUDE_PLUGIN_ROOT}`,
          },
        },
      },
    },
    {
      reads: [
        `MCP server plugin:p:s: \${CLAUDE_PLUGIN_ROOT}/servers/run --config \${CLAUDE_PLUGIN_ROOT}/c.json (in \${CLAUDE_PLUGIN_ROOT})`,
      ],
    },
  ],
  [
    'a server over SSE',
    { '.mcp.json': { mcpServers: { old: { type: 'sse', url: 'https://mcp.example.org/sse' } } } },
    { reads: ['MCP server plugin:p:old: https://mcp.example.org/sse'] },
  ],
  [
    'paths as texts and lists',
    {
      '.claude-plugin/plugin.json': {
        name: 'p',
        commands: ['./cmd/a.md', './more/'],
        agents: './roles/x.md',
        skills: ['./extra'],
      },
      'cmd/a.md': 'A.',
      'more/b.md': 'B.',
      'roles/x.md': inFields('name: x', 'description: Does.'),
      'extra/s/SKILL.md': inFields('name: s', 'description: Reads.'),
    },
    { reads: ['skill p:s: Reads.', 'command /p:a: A.', 'command /p:b: B.', 'agent p:x: Does. (tools: all)'] },
  ],
  [
    'a skill by itself',
    { 'SKILL.md': inFields('name: solo', 'description: Alone.') },
    {
      reads: ['skill p:solo: Alone.'],
      notes: ['ROOT/SKILL.md: 2: the format requires the name of its folder: "p"'],
    },
  ],
  [
    'a named folder that is one skill',
    {
      '.claude-plugin/plugin.json': { name: 'p', skills: ['./one'] },
      'one/SKILL.md': inFields('name: one', 'description: One.'),
    },
    { reads: ['skill p:one: One.'] },
  ],
  [
    'commands described in the manifest',
    {
      '.claude-plugin/plugin.json': {
        name: 'p',
        commands: { about: { source: './README.md', description: 'About' }, hi: { content: 'Say hi.' } },
      },
      'README.md': '# About\n',
    },
    { reads: [], notes: ['commands takes paths, so what it says is left out'] },
  ],
  [
    'a file of values that it asks for',
    {
      '.claude-plugin/plugin.json': {
        name: 'p',
        userConfig: { token: { type: 'string', title: 'Token', sensitive: true, required: true } },
        mcpServers: { s: { command: 's', env: { T: `\${user_config.token}` } } },
      },
    },
    { reads: [`MCP server plugin:p:s: T=\${user_config.token} s`], notes: ['needs the secret token: Token'] },
  ],
  [
    'all that has no effect',
    {
      '.claude-plugin/plugin.json': {
        name: 'p',
        outputStyles: './styles',
        lspServers: { ts: { command: 'tsserver' } },
        settings: {},
        channels: [],
        homepage: 'https://example.org',
        repository: { url: 'x' },
        license: 'MIT',
        keywords: ['a'],
      },
      'bin/tool': '#!/bin/sh\n',
    },
    {
      reads: [],
      notes: [
        'no effect here: output styles',
        'no effect here: language servers',
        'no effect here: channels',
        'no effect here: settings',
        'no effect here: programs for the PATH',
      ],
    },
  ],
  [
    'a byte order mark in its documents',
    { '.claude-plugin/plugin.json': '\ufeff{"name":"bom"}', '.mcp.json': '\ufeff{"s":{"command":"s"}}' },
    { reads: ['MCP server plugin:bom:s: s'] },
  ],
  [
    'a name with dots and capitals',
    { '.claude-plugin/plugin.json': { name: 'Acme.Tools v2' }, 'commands/x.md': 'Do.' },
    { reads: ['command /Acme-Tools-v2:x: Do.'] },
  ],
  [
    'a broken manifest',
    { '.claude-plugin/plugin.json': '{"name": "p",' },
    { reads: [], notes: ['refused: .claude-plugin/plugin.json is not valid JSON'] },
  ],
  [
    'an author as a text, an unknown field',
    {
      '.claude-plugin/plugin.json': {
        name: 'p',
        author: 'Ann <ann@example.org>',
        engines: { claude: '*' },
        forceRemoveDeletedPlugins: true,
        renames: { old: 'p' },
      },
      'commands/x.md': 'Do.',
    },
    {
      reads: ['command /p:x: Do.'],
      notes: [
        'no effect here: the field "engines", the field "forceRemoveDeletedPlugins", the field "renames"',
      ],
    },
  ],
  [
    'in a marketplace that describes it whole',
    {
      'skills/a/SKILL.md': inFields('name: a', 'description: A.'),
      'skills/b/SKILL.md': inFields('name: b', 'description: B.'),
    },
    { reads: ['skill p:b: B.'] },
    { strict: false, skills: ['./skills/b'] },
  ],
  [
    'in a marketplace that adds a server and hooks',
    { '.claude-plugin/plugin.json': { name: 'p' }, 'commands/x.md': 'Do.' },
    { reads: ['MCP server plugin:p:s: s', 'hook Stop: a', 'command /p:x: Do.'] },
    {
      strict: true,
      mcpServers: { s: { command: 's' } },
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'a' }] }] },
    },
  ],
])('a plugin with %s', async (_, files, shape, components) => {
  expect(await shapeOf(files, components)).toEqual(shape)
})
