import { expect, it } from 'vitest'
import { tableText } from '../src/table.ts'

it('a table of lists has its cells below each other', () => {
  const rows = [
    ['name', 'tokens'],
    ['a', 12],
    ['long name', null, true],
  ]
  expect(tableText(rows)).toBe('name       tokens\na          12\nlong name  null    true')
})

it('a table of objects is headed by the names of their fields, in the order in which they come', () => {
  const rows = [
    { file: 'a.txt', lines: 3 },
    { file: 'b.txt', note: { new: true } },
  ]
  expect(tableText(rows)).toBe('file   lines  note\na.txt  3\nb.txt         {"new":true}')
})

it('no cell of a table looks like a row', () => {
  expect(tableText([['a\nb', 'c']])).toBe('a⏎b  c')
})

it.each([
  ['text', '"text"'],
  [{ a: 1 }, '{"a":1}'],
  [[['a'], 'b'], '[["a"],"b"]'],
  [[], ''],
  [[[], []], '\n'],
])('what is no table is its JSON: %j', (content, text) => {
  expect(tableText(content)).toBe(text)
})
