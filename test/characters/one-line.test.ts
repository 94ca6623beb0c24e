import { expect, it } from 'vitest'
import { oneLine } from '../../src/characters/one-line.ts'

it.each([
  [' a\n\tb ', 'a b'],
  ['12345', '12345'],
  ['123456', '1234…'],
  ['🙂🙂🙂🙂🙂🙂', '🙂🙂🙂🙂…'],
  [`123${' '.repeat(30)}`, '123'],
  [`123${' '.repeat(30)}4`, '123…'],
  [`${' '.repeat(30)}123`, '123'],
  ['', ''],
])('%j in one line of 5 characters is %j', (text, line) => {
  expect(oneLine(text, 5)).toBe(line)
})
