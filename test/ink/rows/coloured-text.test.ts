import { expect, it } from 'vitest'
import { colouredLine } from '../../../src/ink/rows/coloured-text.ts'
import { paint } from '../../../src/ink/rows/line.ts'
import { themes } from '../../../src/ink/rows/theme.ts'

it.each([
  ['plain', '\u001b[38;5;246mplain\u001b[0m'],
  ['\u001b[31mred\u001b[0m', '\u001b[31mred\u001b[0m'],
  [
    '\u001b[1m\u001b[38;5;200mbold pink\u001b[m.',
    '\u001b[1;38;5;200mbold pink\u001b[0m\u001b[38;5;246m.\u001b[0m',
  ],
  ['\u001b[0;32mgreen', '\u001b[32mgreen\u001b[0m'],
  ['\u001b[31ma\u001b[2J\u001b]0;title\u0007\u0008b', '\u001b[31mab\u001b[0m'],
  ['\u001b[31', ''],
])('keeps the colours of %j and nothing else that acts', (text, painted) => {
  expect(paint(colouredLine(text), themes.dark)).toBe(painted)
})

it('has no colours in the theme without any', () => {
  expect(paint(colouredLine('\u001b[31mred'), themes.none)).toBe('red')
})

it('keeps a style short, however many sequences there are', () => {
  const text = `${'\u001b[1m'.repeat(99)}x`
  expect(paint(colouredLine(text), themes.dark)).toMatch(/^.{1,50}x.{4}$/su)
})
