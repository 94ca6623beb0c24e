import { expect, it } from 'vitest'
import { inFields, type Shape, type ShapeFiles, shapeOf } from '../../../../support/plugins/shape.ts'

it.each<[string, ShapeFiles, Shape]>([
  [
    'only a text',
    { 'commands/fix.md': 'Fix the issue $ARGUMENTS.\n' },
    { reads: ['command /p:fix: Fix the issue $ARGUMENTS.'] },
  ],
  [
    'a description, tools and a hint',
    {
      'commands/commit.md': inFields(
        'description: Commits',
        'allowed-tools: Bash(git add:*), Bash(git commit:*)',
        'argument-hint: [message]',
      ),
    },
    { reads: ['command /p:commit: Commits (when called: allows Bash(git add:*), Bash(git commit:*))'] },
  ],
  [
    'lines that run, and files',
    {
      'commands/review.md': [
        '---',
        'allowed-tools: Bash(git diff:*)',
        'description: Reviews',
        '---',
        '- Diff: !`git diff HEAD`',
        '- Rules: @CONTRIBUTING.md and @docs/style.md',
        'Now $1 with $2.',
      ],
    },
    { reads: ['command /p:review: Reviews (when called: runs git diff HEAD; allows Bash(git diff:*))'] },
  ],
  [
    'a subfolder as its namespace',
    { 'commands/gh/pr-create.md': inFields('description: Opens a PR') },
    { reads: ['command /p:gh:pr-create: Opens a PR'] },
  ],
  [
    'a model by its family',
    { 'commands/x.md': inFields('description: Does', 'model: haiku') },
    { reads: ['command /p:x: Does (when called: model haiku)'] },
  ],
  [
    'a full model name, and no call by the model',
    {
      'commands/x.md': inFields(
        'description: Does',
        'model: claude-opus-4-1-20250805',
        'disable-model-invocation: true',
      ),
    },
    { reads: ['command /p:x: Does (when called: model claude-opus-4-1-20250805)'] },
  ],
  [
    'fields of another agent',
    { 'commands/x.md': inFields('description: Does', 'agent: build', 'subtask: true', 'mode: agent') },
    {
      reads: ['command /p:x: Does (when called: work of the agent build)'],
      notes: [
        'ROOT/commands/x.md: 4: ignored the unknown field subtask',
        'ROOT/commands/x.md: 5: ignored the unknown field mode',
      ],
    },
  ],
  [
    'line ends of Windows',
    { 'commands/x.md': '---\r\ndescription: "Does it"\r\n---\r\nGo $ARGUMENTS\r\n' },
    { reads: ['command /p:x: Does it'] },
  ],
  [
    'a byte order mark before the fields',
    { 'commands/x.md': '\ufeff---\ndescription: Does\n---\nGo\n' },
    { reads: ['command /p:x: Does'] },
  ],
  [
    'a heading as its description',
    { 'commands/x.md': '# Release: how to\n\nDo it.\n' },
    { reads: ['command /p:x: Release: how to'] },
  ],
  [
    'a rule at its beginning, which is no field',
    { 'commands/x.md': '---\n\nJust text below a line.\n' },
    {
      reads: ['command /p:x: Just text below a line.'],
      notes: ['ROOT/commands/x.md: 1: the fields have no closing ---'],
    },
  ],
  [
    'a description in a block',
    { 'commands/x.md': inFields('description: |', '  Does this', '  and that') },
    { reads: ['command /p:x: Does this and that'] },
  ],
  [
    'a README beside it',
    { 'commands/x.md': 'Do.', 'commands/README.md': '# Commands\n' },
    { reads: ['command /p:x: Do.'] },
  ],
  [
    'a name with a dot',
    { 'commands/next.js.md': 'Do.', 'commands/ok.md': 'Do.' },
    {
      reads: ['command /p:ok: Do.'],
      notes: [
        'ROOT/commands/next.js.md: its name cannot be typed as a command: use only letters, digits, _ and -',
      ],
    },
  ],
])('a command with %s', async (_, files, shape) => {
  expect(await shapeOf(files)).toEqual(shape)
})
