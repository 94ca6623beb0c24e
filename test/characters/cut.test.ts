import { expect, it } from 'vitest'
import { cutStart, cutText } from '../../src/characters/cut.ts'

it.each([
  ['abcd', 4, 'abcd', 'abcd'],
  ['abcd', 2, 'ab', 'cd'],
  ['abcd', 0, '', ''],
  ['a🙂b🙂', 2, 'a', '🙂'],
  ['a🙂b🙂', 3, 'a🙂', 'b🙂'],
  ['🙂a🙂b', 2, '🙂', 'b'],
])('%j has %i characters at its ends, without half a character', (text, length, start, end) => {
  expect([cutText(text, length), cutStart(text, length)]).toEqual([start, end])
})
