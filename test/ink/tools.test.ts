import { expect, it } from 'vitest'
import { drawEndedCall } from '../../src/ink/tools.ts'
import type { JsonValue } from '../../src/json-value.ts'
import { plain } from './screen-text.ts'

const drawn = (name: string, text: string, details: JsonValue) =>
  plain(drawEndedCall({ name, arguments: {}, isError: false, text, details, durationMs: 3 }, 40))

it('a plan is a checklist, long items wrapped below themselves', () => {
  const todo = [
    { text: 'read', status: 'done' },
    { text: 'write all of the parser and the printer anew', status: 'in_progress' },
    { text: 'test', status: 'pending' },
  ]
  expect(drawn('todo', '1 of 3 done', { todo })).toEqual([
    '● todo  3 ms · 1 of 3 done',
    '  ✓ read',
    '  ◐ write all of the parser and the',
    '    printer anew',
    '  ○ test',
  ])
  expect(drawn('todo', '0 of 0 done', { todo: ['odd'] })).toEqual(['● todo  3 ms · 0 of 0 done'])
  expect(drawn('todo', '0 of 0 done', null)).toEqual(['● todo  3 ms · 0 of 0 done'])
})

it('questions are shown with their answers', () => {
  expect(drawn('ask', 'Which? → A\nSure? → Yes', null)).toEqual([
    '● ask  3 ms',
    '  Which? → A',
    '  Sure? → Yes',
  ])
})

it('TERM-236: a call says how many invisible characters it lost', () => {
  expect(drawn('read', 'a\n(2 invisible characters removed)', { invisible_removed: 2 })).toEqual([
    '● read  3 ms · 2 lines',
    '  2 invisible characters removed',
  ])
})
