import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { printable } from '../../src/terminal/printable.ts'
import { visible } from '../../src/terminal/visible.ts'
import { quickIt as it, sized, sizedIt, slowIt } from '../support/thorough.ts'

const anyCharacter = fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code))
const spice = fc.constantFrom(
  ...['\x1b', '\x9b', '\r', '\n', '\t', '\u00a0', '\u200d', '\ufe0f', '\u{e0101}', '\u{e0041}', '\u202e'],
  ...['\ud83d', '\udc69', '👩', '世', 'a', '\n\n\n\n\n', ' '.repeat(25)],
)

describe('text that a user must judge', () => {
  it.each([
    ['TERM-224', '\x1b]0;root@prod\x07', '\\x1b]0;root@prod\\x07'],
    ['TERM-225', '\x1b]8;;https://evil\x1b\\docs', '\\x1b]8;;https://evil\\x1b\\docs'],
    ['TERM-226', '\x1b[2J\x1b[H', '\\x1b[2J\\x1b[H'],
    ['TERM-228', 'safe text\rEVIL', 'safe text\\x0dEVIL'],
    ['TERM-230', '\x9b2J and \x9d0;x\x9c', '\\x9b2J and \\x9d0;x\\x9c'],
    ['TERM-235', 'user\u202egnp.exe', 'user\\u202egnp.exe'],
    ['TERM-236', 'visible\u{e0049}', 'visible\\u{e0049}'],
    ['back spaces', 'rm x\b\b\b\bls', 'rm x\\x08\\x08\\x08\\x08ls'],
    ['invisible characters', 'r\u200bm\u200d \ufeffx\ufe0f', 'r\\u200bm\\u200d \\ufeffx\\ufe0f'],
    ['lookalikes of a space', 'a\u00a0b\u3000c\u2800d\u2028e', 'a\\xa0b\\u3000c\\u2800d\\u2028e'],
    ['data in selectors', '😊\ufe01\u{e0101}\u{e0102}', '😊\ufe01\\u{e0101}\\u{e0102}'],
    ['half a character', 'a\ud83d', 'a\\ud83d'],
    ['notes between lines', 'a\ufff9b\ufffac\ufffb', 'a\\ufff9b\\ufffac\\ufffb'],
  ])('hides nothing: %s', (_, text, expected) => {
    expect(visible(text)).toBe(expected)
  })

  it.each([
    ['40 blanks are', `a${' '.repeat(40)}b`, `a${' '.repeat(40)}b`],
    ['41 blanks are not', `a${' '.repeat(41)}b`, 'a⟨41 blanks⟩b'],
    ['blanks of every kind are not', `a${' \t\u00a0\u200b\r'.repeat(20)}b`, 'a⟨100 blanks⟩b'],
    ['three blank lines are', 'a\n\n \n\nb', 'a\n\n \n\nb'],
    ['four blank lines are not', 'a\n\n\t\n\n  \nb', 'a\n⟨4 blank lines⟩\nb'],
    ['very many are not', `a${'\n'.repeat(10_002)}b`, 'a\n⟨10000 blank lines⟩\n\nb'],
    ['eight marks on a letter are', `a${'\u0301'.repeat(8)}b`, `a${'\u0301'.repeat(8)}b`],
    ['more marks are not', `a${'\u0301'.repeat(50)}b`, `a${'\u0301'.repeat(8)}⟨42 marks⟩b`],
  ])('cannot be pushed out of view: %s shown as they are', (_, text, expected) => {
    expect(visible(text)).toBe(expected)
  })

  it('is unchanged in all scripts', () => {
    const text =
      'git commit -m "x"\n\tGrüße 世界 می\u200cخواهم क्\u200dष 葛\u{e0100} 👩\u200d👧 ❤\ufe0f\u200d🔥'
    expect(visible(text)).toBe(text)
  })

  slowIt('is always printable, each character of Unicode', () => {
    for (let plane = 0; plane <= 0x10; plane++) {
      const characters = Array.from({ length: 0x10000 }, (_, code) =>
        String.fromCodePoint(plane * 0x10000 + code),
      )
      const shown = visible(characters.join('a'))
      expect(printable(shown)).toBe(shown)
      expect(visible(shown)).toBe(shown)
    }
  })

  sizedIt('is always printable, and unchanged a second time', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(spice, anyCharacter)), (parts) => {
        const shown = visible(parts.join(''))
        expect(printable(shown)).toBe(shown)
        expect(visible(shown)).toBe(shown)
      }),
      { numRuns: sized(300, 60) },
    )
  })
})
