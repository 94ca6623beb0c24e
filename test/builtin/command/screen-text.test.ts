import fc from 'fast-check'
import { expect } from 'vitest'
import { screenText } from '../../../src/builtin/command/screen-text.ts'
import { growth } from '../../support/cost.ts'
import { quickIt as it, slowIt } from '../../support/thorough.ts'

it.each([
  ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
  ['titles and links', '\x1b]0;title\x07\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\', 'link'],
  ['device strings', 'a\x1bP1$r\x1b\\b\x1b_c\x1b\\d', 'abd'],
  ['sequences of single C1 characters', 'a\x9b1mb\x9d0;title\x9cc\x90q\x9cd\x85', 'abcd'],
  ['short sequences', '\x1b(B\x1b7\x1bMtext\x1b', 'text'],
  ['control characters, but no tab, and shows NUL', 'a\x00\x07\tb\x7f\x85', 'a␀\tb'],
  ['what was typed over', 'n\bname, _\bu', 'name, u'],
])('removes %s', (_, raw, shown) => {
  expect(screenText(raw)).toBe(shown)
})

it('shows an overwritten line as a terminal would', () => {
  expect(screenText('10%\r50%\r100%\r\ndone')).toBe('100%\ndone')
  expect(screenText('Loading\rDone\nLoading\r\x1b[KDone')).toBe('Doneing\nDone')
  expect(screenText('|\b/\b-\bdone\n\b\bab\b\b\bc')).toBe('done\ncb')
  expect(screenText('a\x1b[31mred\x1b[0m\x07\b b')).toBe('are b')
})

it('starts a line at each cursor movement, and leaves out rows without text', () => {
  const row = `~${' '.repeat(79)}`
  expect(
    screenText(`\f\x1b[24;1H"x" 2L\x1b[1;1Hone\r\n~ two\x1b[4;1H${row}\x1b[5;1H${row}\x1b[24;63H1,1`),
  ).toBe('\n"x" 2L\none\n~ two\n1,1')
  expect(screenText('\x1b[2;1H~ home\x1b[3;1H~ ')).toBe('\n~ home\n')
})

it('leaves no control character except tab and line feed, whatever the output', () => {
  const raw = fc.string({
    unit: fc.constantFrom(...'ab1;mH~[]P\\ \t\n\r\b\x1b\x07\x00\x7f\x9b\x9d\x9c\x90é😀'),
  })
  fc.assert(
    fc.property(raw, (text) => {
      expect(screenText(text).replaceAll(/[\t\n]/g, '')).not.toMatch(/\p{Cc}/u)
    }),
  )
})

slowIt('takes linear time', async () => {
  const draw = (length: number) => {
    expect(screenText('x'.repeat(length) + '\ry'.repeat(length))).toBe(`y${'x'.repeat(length - 1)}`)
    expect(screenText('\x1b['.repeat(length))).toBe('')
    expect(screenText('\x1b[1;1H'.repeat(length))).toBe('\n')
    expect(screenText(`\x1b[1;1H~${' '.repeat(length)}x`)).toBe(`\n~${' '.repeat(length)}x`)
  }
  expect(await growth(draw, 200_000)).toBeLessThan(100)
})
