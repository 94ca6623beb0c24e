import { expect, it } from 'vitest'
import { tableText } from '../../../src/frontend/words/text-table.ts'

it('aligns the cells of a table of lists', () => {
  const rows = [
    ['name', 'tokens'],
    ['a', 12],
    ['long name', null, true],
  ]
  expect(tableText(rows)).toBe('name       tokens\na          12\nlong name  null    true')
})

it('heads a table of objects with their keys, in order of appearance', () => {
  const rows = [
    { file: 'a.txt', lines: 3 },
    { file: 'b.txt', note: { new: true } },
  ]
  expect(tableText(rows)).toBe('file   lines  note\na.txt  3\nb.txt         {"new":true}')
})

it('keeps each cell on one line', () => {
  expect(tableText([['a\nb', 'c']])).toBe('a⏎b  c')
})

it.each([
  ['text', '"text"'],
  [{ a: 1 }, '{"a":1}'],
  [[['a'], 'b'], '[["a"],"b"]'],
  [[], ''],
  [[[], []], '\n'],
])('prints other values as JSON: %j', (content, text) => {
  expect(tableText(content)).toBe(text)
})
