import fc from 'fast-check'
import { expect, it } from 'vitest'
import { screenText } from '../../../src/builtin/command/screen-text.ts'

it.each([
  ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
  ['titles and links', '\x1b]0;title\x07\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\', 'link'],
  ['device strings', 'a\x1bP1$r\x1b\\b\x1b_c\x1b\\d', 'abd'],
  ['sequences of single C1 characters', 'a\x9b1mb\x9d0;title\x9cc\x90q\x9cd\x85', 'abcd'],
  ['short sequences', '\x1b(B\x1b7\x1bMtext\x1b', 'text'],
  ['control characters, but no tab, and shows NUL', 'a\x00\x07\tb\x7f\x85', 'a␀\tb'],
  ['what was typed over', 'n\bname, _\bu', 'name, u'],
])('takes out %s', (_, raw, shown) => {
  expect(screenText(raw)).toBe(shown)
})

it('shows a line that was written over as a terminal would', () => {
  expect(screenText('10%\r50%\r100%\r\ndone')).toBe('100%\ndone')
  expect(screenText('Loading\rDone\nLoading\r\x1b[KDone')).toBe('Doneing\nDone')
  expect(screenText('|\b/\b-\bdone\n\b\bab\b\b\bc')).toBe('done\ncb')
  expect(screenText('a\x1b[31mred\x1b[0m\x07\b b')).toBe('are b')
})

it('leaves no control character but tab and line end, whatever comes', () => {
  const raw = fc.string({
    unit: fc.constantFrom(...'ab1;m[]P\\ \t\n\r\b\x1b\x07\x00\x7f\x9b\x9d\x9c\x90é😀'),
  })
  fc.assert(
    fc.property(raw, (text) => {
      expect(screenText(text).replaceAll(/[\t\n]/g, '')).not.toMatch(/\p{Cc}/u)
    }),
  )
})

it('takes time in proportion to the text', () => {
  const from = performance.now()
  expect(screenText('x'.repeat(100_000) + '\ry'.repeat(100_000))).toBe(`y${'x'.repeat(99_999)}`)
  expect(screenText('\x1b['.repeat(100_000))).toBe('')
  expect(performance.now() - from).toBeLessThan(2_000)
})
