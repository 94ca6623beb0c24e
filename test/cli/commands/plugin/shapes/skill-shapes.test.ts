import { expect, it } from 'vitest'
import { inFields, type Shape, type ShapeFiles, shapeOf } from '../../../../support/plugins/shape.ts'

it.each<[string, ShapeFiles, Shape]>([
  [
    'a folded description',
    {
      'skills/pdf/SKILL.md': inFields(
        'name: pdf',
        'description: >',
        '  Use when the user',
        '  asks about PDF: forms, tables.',
      ),
    },
    { reads: ['skill p:pdf: Use when the user asks about PDF: forms, tables.'] },
  ],
  [
    'a folded description without a break, and a licence',
    {
      'skills/pdf/SKILL.md': inFields(
        'name: pdf',
        'description: >-',
        '  Fills forms.',
        'license: Proprietary. See LICENSE.txt',
      ),
    },
    { reads: ['skill p:pdf: Fills forms.'] },
  ],
  [
    'a block with an empty line and a list',
    {
      'skills/x/SKILL.md': inFields(
        'name: x',
        'description: |',
        '  Writes changelogs.',
        '',
        '  Triggers:',
        '  - "release notes"',
        '  - tag v1.2',
      ),
    },
    { reads: ['skill p:x: Writes changelogs. Triggers: - "release notes" - tag v1.2'] },
  ],
  [
    'a plain description over several lines',
    {
      'skills/x/SKILL.md': inFields(
        'name: x',
        'description: Reviews pull requests',
        '  for style and',
        '  for bugs',
      ),
    },
    { reads: ['skill p:x: Reviews pull requests for style and for bugs'] },
  ],
  [
    'colons, quotes and arrows in a plain description',
    {
      'skills/x/SKILL.md': inFields(
        'name: x',
        `description: Use when: "deploy" -> prod, it's #1 & <b>fast</b>`,
      ),
    },
    { reads: ['skill p:x: Use when: "deploy" -> prod, it\'s'] },
  ],
  [
    'a double-quoted description with escapes',
    { 'skills/x/SKILL.md': inFields('name: "x"', 'description: "Says \\"hi\\"\\nand goes."') },
    { reads: ['skill p:x: Says "hi" and goes.'] },
  ],
  [
    'a single-quoted description',
    { 'skills/x/SKILL.md': inFields("name: 'x'", "description: 'Don''t use: yet'") },
    { reads: ["skill p:x: Don't use: yet"] },
  ],
  [
    'a very long description',
    { 'skills/x/SKILL.md': inFields('name: x', `description: ${'many words '.repeat(110)}`) },
    {
      reads: [
        'skill p:x: many words many words many words many words many words many words many words many words many words many words many words many words many words many words many words many words many words many words many words many words many words many words many words many words many words many words many words ma…',
      ],
      notes: ['ROOT/skills/x/SKILL.md: 3: the description has 1209 characters, but the format allows 1024'],
    },
  ],
  [
    'a name unlike its folder',
    { 'skills/frontend/SKILL.md': inFields('name: frontend-design', 'description: Designs.') },
    {
      reads: ['skill p:frontend-design: Designs.'],
      notes: ['ROOT/skills/frontend/SKILL.md: 2: the format requires the name of its folder: "frontend"'],
    },
  ],
  [
    'a name of words with capitals',
    { 'skills/x/SKILL.md': inFields('name: Brand Voice (EU)', 'description: Writes.') },
    {
      reads: ['skill p:Brand-Voice-EU: Writes.'],
      notes: [
        'ROOT/skills/x/SKILL.md: 2: it is called Brand-Voice-EU, because a name takes letters, digits, _, - and :',
        'ROOT/skills/x/SKILL.md: 2: the format requires the name of its folder: "x"',
      ],
    },
  ],
  [
    'line ends of Windows and a byte order mark',
    { 'skills/x/SKILL.md': '\ufeff---\r\nname: x\r\ndescription: >\r\n  Reads\r\n  logs.\r\n---\r\nDo.\r\n' },
    { reads: ['skill p:x: Reads logs.'] },
  ],
  [
    'tabs in front of nested fields, and trailing blanks',
    { 'skills/x/SKILL.md': inFields('name: x  ', 'description: Reads.\t', 'metadata:', '\tauthor: me') },
    { reads: ['skill p:x: Reads.'] },
  ],
  [
    'nested metadata with lists and maps',
    {
      'skills/x/SKILL.md': inFields(
        'name: x',
        'description: Reads.',
        'metadata:',
        '  openclaw:',
        '    requires: { bins: ["gh"], env: [TOKEN] }',
        '    install:',
        '      - id: brew',
        '        kind: brew',
        '  version: 1.0',
      ),
    },
    { reads: ['skill p:x: Reads.'] },
  ],
  [
    'metadata as JSON in one line',
    {
      'skills/x/SKILL.md': inFields(
        'name: x',
        'description: Reads.',
        'metadata: {"tags":["a","b"],"emoji":"🧪"}',
      ),
    },
    { reads: ['skill p:x: Reads.'] },
  ],
  [
    'allowed tools in a comma list',
    {
      'skills/x/SKILL.md': inFields(
        'name: x',
        'description: Reads.',
        'allowed-tools: Read, Grep, Bash(git diff:*), Bash(npm run test:*)',
      ),
    },
    { reads: ['skill p:x: Reads. (when called: allows Read, Grep, Bash(git diff:*), Bash(npm run test:*))'] },
  ],
  [
    'allowed tools divided by blanks',
    { 'skills/x/SKILL.md': inFields('name: x', 'description: Reads.', 'allowed-tools: Bash(git:*) Read') },
    { reads: ['skill p:x: Reads. (when called: allows Bash(git:*), Read)'] },
  ],
  [
    'allowed tools in a list below',
    {
      'skills/x/SKILL.md': inFields(
        'name: x',
        'description: Reads.',
        'allowed-tools:',
        '  - Read',
        '  - "Bash(gh pr view:*)"',
        '  - mcp__github__*',
      ),
    },
    { reads: ['skill p:x: Reads. (when called: allows Read, Bash(gh pr view:*), mcp__github__*)'] },
  ],
  [
    'allowed tools in brackets',
    { 'skills/x/SKILL.md': inFields('name: x', 'description: Reads.', 'allowed-tools: ["Read", Write]') },
    { reads: ['skill p:x: Reads. (when called: allows Read, Write)'] },
  ],
  [
    'a model, an effort and a fork',
    {
      'skills/x/SKILL.md': inFields(
        'name: x',
        'description: Reads.',
        'model: opus[1m]',
        'effort: high',
        'context: fork',
        'agent: Explore',
      ),
    },
    { reads: ['skill p:x: Reads. (when called: model opus[1m]; effort high; work of the agent Explore)'] },
  ],
  [
    'commands that run when it is called',
    {
      'skills/x/SKILL.md': [
        '---',
        'name: x',
        'description: Reads.',
        '---',
        'Status: !`git status --short`',
        '```!',
        'node --version',
        'npm --version',
        '```',
        'See `!not` this.',
      ],
    },
    {
      reads: ['skill p:x: Reads. (when called: runs git status --short; runs node --version\nnpm --version)'],
    },
  ],
  [
    'who may call it, and a hint in brackets',
    {
      'skills/x/SKILL.md': inFields(
        'name: x',
        'description: Reads.',
        'disable-model-invocation: true',
        'argument-hint: [issue] [--fast]',
      ),
    },
    { reads: ['skill p:x: Reads.'] },
  ],
  [
    'when to use it, in a field of its own',
    { 'skills/x/SKILL.md': inFields('name: x', 'description: Reads.', 'when_to_use: Before a release') },
    { reads: ['skill p:x: Reads. Before a release'] },
  ],
  [
    'hooks and paths',
    {
      'skills/x/SKILL.md': inFields(
        'name: x',
        'description: Reads.',
        'paths: "src/**"',
        'hooks:',
        '  PreToolUse:',
        '    - matcher: Bash',
        '      hooks:',
        '        - type: command',
        '          command: ./check.sh',
      ),
    },
    {
      reads: ['skill p:x: Reads. (when called: hooks at PreToolUse; hook PreToolUse ./check.sh)'],
    },
  ],
  [
    'no fields at all',
    { 'skills/x/SKILL.md': '# Reading logs\n\nDo it.\n' },
    {
      reads: ['skill p:x: Reading logs'],
      notes: [
        'ROOT/skills/x/SKILL.md: 1: expected --- in a line of its own, then the fields',
        'ROOT/skills/x/SKILL.md: 1: the field name is missing, so it is called x',
        'ROOT/skills/x/SKILL.md: 1: the field description is missing',
      ],
    },
  ],
  [
    'no description',
    { 'skills/x/SKILL.md': inFields('name: x') },
    {
      reads: ['skill p:x: Do the work.'],
      notes: ['ROOT/skills/x/SKILL.md: 1: the field description is missing'],
    },
  ],
  [
    'a dot in its name, a version and tags',
    {
      'skills/node.js/SKILL.md': inFields(
        'name: node.js',
        'description: Runs.',
        'version: 2.1.0',
        'tags: [js, ts]',
        'author: Ann',
      ),
    },
    {
      reads: ['skill p:node-js: Runs.'],
      notes: [
        'ROOT/skills/node.js/SKILL.md: 2: it is called node-js, because a name takes letters, digits, _, - and :',
      ],
    },
  ],
])('a skill with %s', async (_, files, shape) => {
  expect(await shapeOf(files)).toEqual(shape)
})
