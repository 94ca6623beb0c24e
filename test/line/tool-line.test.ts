import { expect, it } from 'vitest'
import type { JsonValue } from '../../src/json-value.ts'
import { describeCall } from '../../src/line/tool-line.ts'

it.each([
  ['bash', { command: 'npm  test\n' }, 'bash npm test'],
  ['grep', { pattern: 'x', path: 'src' }, 'grep x in src'],
  ['fetch', { url: 'https://example.com/' }, 'fetch https://example.com/'],
  ['bash', { command: 'x'.repeat(200) }, `bash ${'x'.repeat(99)}…`],
  ['mystery', null, 'mystery'],
  ['todo', { items: [] }, 'todo'],
  [
    'todo',
    {
      items: [
        { text: 'a', status: 'done' },
        { text: 'write tests', status: 'in_progress' },
        { text: 'c', status: 'pending' },
      ],
    },
    'todo 1 of 3 done: write tests',
  ],
  ['todo', { items: 'many' }, 'todo'],
] satisfies readonly (readonly [string, JsonValue, string])[])('%s is one line: %j', (name, args, line) => {
  expect(describeCall(name, args)).toBe(line)
})
