import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printable } from '../../src/terminal/printable.ts'

describe('text for a terminal', () => {
  it.each([
    ['plain words', 'two\tlines\nof text', 'two\tlines\nof text'],
    ['words of the world', 'Grüße, 世界 👩‍👩‍👧 é', 'Grüße, 世界 👩‍👩‍👧 é'],
    ['a colour', '\x1b[31mred\x1b[0m', '[31mred[0m'],
    ['a title that would be set', '\x1b]0;owned\x07ok', ']0;ownedok'],
    ['a clipboard that would be written', '\x1b]52;c;cm0gLXJm\x1b\\', ']52;c;cm0gLXJm\\'],
    ['a line that would be written over', 'safe\rrm -rf /', 'saferm -rf /'],
    ['a back space', 'abc\b\b\bxyz', 'abcxyz'],
    ['eight-bit controls', 'a\x9b31mb\x9dc', 'a31mbc'],
    ['NUL and DEL', 'a\0b\x7fc', 'abc'],
    ['reversed text', 'user\u202etxt.exe\u2066x\u200f', 'usertxt.exex'],
    ['hidden tags', 'hi\u{e0041}\u{e007f}!', 'hi!'],
  ])('keeps what can be seen of %s', (_, text, expected) => {
    expect(printable(text)).toBe(expected)
  })

  it('never holds a character that acts, however it is put together', () => {
    const spice = fc.constantFrom('\x1b', '\x9b', '\r', '\x07', '\u202e', '\u{e0020}', '[', ']', '\n', 'x')
    const pieces = fc.array(fc.oneof(spice, fc.string({ unit: 'binary' })))
    fc.assert(
      fc.property(pieces, (parts) => {
        const shown = printable(parts.join(''))
        expect(shown).not.toMatch(/(?![\t\n])\p{Cc}|\p{Bidi_Control}/u)
        expect(parts.map(printable).join('')).toBe(shown)
        expect(printable(shown)).toBe(shown)
      }),
      { numRuns: 200 },
    )
  })
})
