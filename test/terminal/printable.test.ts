import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { createScreenFilter, printable } from '../../src/terminal/printable.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../support/thorough.ts'
import { cutInto } from '../support/vendors/deltas.ts'

/** The output of a filter for each of these chunks and at the end. */
function streamed(...chunks: readonly string[]): readonly string[] {
  const filter = createScreenFilter()
  return [...chunks.map((chunk) => filter.write(chunk)), filter.end()]
}

quickDescribe('text that would act on a terminal does not reach it', () => {
  it.each([
    ['TERM-224', 'a title', '\x1b]0;root@prod\x07', ''],
    ['TERM-225', 'a link', '\x1b]8;;https://evil.example\x1b\\docs\x1b]8;;\x1b\\', 'docs'],
    ['TERM-226', 'a cleared screen', '\x1b[2J\x1b[H', ''],
    ['TERM-228', 'a line written over', 'safe text\rEVIL', 'safe textEVIL'],
    ['TERM-230', 'eight-bit sequences', '\x9b2J and \x9d0;x\x9c', ' and '],
    ['TERM-232', 'an unterminated string', '\x1b]0;unterminated text', 'unterminated text'],
    ['TERM-233', 'a sequence in two chunks', '\x1b[2J', ''],
    ['TERM-235', 'reversed text', 'user\u202egnp.exe', 'user\\u202egnp.exe'],
    [
      'TERM-236',
      'bytes in variation selectors',
      'a\u{e0100}\u{e0101}\ufe00b',
      'a\u{e0100}\\u{e0101}\\ufe00b',
    ],
    ['TERM-236', 'the same after a removed sequence', '葛\u{e0100}\x1b[m\u{e0101}', '葛\u{e0100}\\u{e0101}'],
    ['TERM-236', 'the same on an invisible character', 'a\u200b\ufe01', 'a\u200b\\ufe01'],
    ['TERM-236', 'hidden tags', 'visible\u{e0049}\u{e0067}', 'visible\\u{e0049}\\u{e0067}'],
  ])('%s: %s', (_, __, text, expected) => {
    expect(printable(text)).toBe(expected)
    expect(streamed(...text.split('')).join('')).toBe(expected)
  })

  it.each([
    ['a colour', '\x1b[38;2;1;2;3mred\x1b[0m', 'red'],
    ['a private mode', '\x1b[?1049h\x1b[?2004lx\x1b[>4;2m\x1b[!p\x1b[2 q', 'x'],
    ['the clipboard', '\x1b]52;c;cm0gLXJm\x1b\\x\x9d52;c;cm0=\x07', 'x'],
    ['a device string', '\x1bP+q544e\x1b\\x\x90$q"p\x9c', 'x'],
    ['an application string', '\x1b_Gi=1;AAAA\x1b\\x', 'x'],
    ['a private message and a start of string', '\x1b^a\x1b\\x\x1bXb\x9cy\x98c\x9c', 'xy'],
    ['two-character sequences', '\x1bcx\x1b7\x1b(0y\x1b#8\x1b=', 'xy'],
    ['a cancelled string', 'a\x1b]0;b\x18c\x1b]0;d\x1ae', 'ace'],
    ['a string passed on by tmux', '\x1bPtmux;\x1b\x1b]52;c;cm0=\x07\x1b\\x', 'tmux;x'],
    ['a sequence that another cuts short', 'a\x1b[3\x1b[1mb\x1b\x1b[0mc', 'abc'],
    ['a back space', 'abc\b\b\bxyz', 'abcxyz'],
    ['NUL, BEL and DEL', 'a\0b\x07c\x7fd', 'abcd'],
    ['other line ends', 'a\r\nb\vc\fd\x85e', 'a\nbcde'],
    ['isolates and marks', 'a\u2066b\u2069c\u200fd\u061ce', 'a\\u2066b\\u2069c\\u200fd\\u061ce'],
    ['half a character', 'a\ud83d b\udc69', 'a\ufffd b\ufffd'],
  ])('%s', (_, text, expected) => {
    expect(printable(text)).toBe(expected)
  })
})

quickDescribe('text after an unterminated sequence', () => {
  it.each([
    ['continues on the next line', 'a\x1b]8;;http://b\nc\x1b\\d', 'a;http://b\ncd'],
    ['continues at the next sequence', '\x1b_a\x1b[1mb', 'ab'],
    ['continues where no parameter is possible', 'a\x1b[12\n\x1b[1é \x9b世', 'a\né 世'],
    ['continues after 4096 characters', `\x1bP${'x'.repeat(4097)}\x07y`, `${'x'.repeat(4097)}y`],
    ['does not continue after fewer', `\x1bP${'x'.repeat(4096)}\x07y`, 'y'],
    ['continues after 128 parameters', `\x1b[${'1'.repeat(130)}m`, '11m'],
    ['is kept at the end', 'a\x1b]0;b\x1b', 'ab'],
  ])('%s', (_, text, expected) => {
    expect(printable(text)).toBe(expected)
    expect(streamed(...text.split('')).join('')).toBe(expected)
  })

  it('is returned as soon as it is known to be text', () => {
    expect(streamed('a\x1b]0;', 'title?', '\nb', 'c')).toEqual(['a', '', 'title?\nb', 'c', ''])
    expect(streamed('a\x1b[', '2', 'Jb')).toEqual(['a', '', 'b', ''])
    expect(streamed('\ud83d', '\udc69', '\ud83d')).toEqual(['', '👩', '', '\ufffd'])
  })

  it('is not held back by a filter that has ended', () => {
    const filter = createScreenFilter()
    expect([filter.write('a\x1b]0;'), filter.end(), filter.write('b\x07c'), filter.end()]).toEqual([
      'a',
      '',
      'bc',
      '',
    ])
  })
})

quickDescribe('text in any script', () => {
  it.each([
    'two\tlines\nof text, "quoted" & <marked> \\x1b[31m',
    'Grüße, Ελληνικά, Кириллица, e\u0301 a\u0308\u0323',
    '世界、こんにちは。한국어 ᄒᆞᆫ 葛\u{e0100}城',
    'العربية می\u200cخواهم עברית',
    'हिन्दी क्\u200dष தமிழ் ශ්\u200dරී ភាសា\u200bខ្មែរ ᠮᠣᠩᠭᠣᠯ\u180b',
    '👩\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 1\ufe0f⃣ 🇫🇷 👍🏽 🏴\u200d☠\ufe0f',
  ])('passes unchanged: %s', (text) => {
    expect(printable(text)).toBe(text)
    expect(streamed(text)).toEqual([text, ''])
  })
})

const anyCharacter = fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code))
const spice = fc.constantFrom(
  ...[
    '\x1b',
    '\x9b',
    '\x9d',
    '\x9c',
    '\x18',
    '\r',
    '\x07',
    '\n',
    '\t',
    '\\',
    '[',
    ']',
    'P',
    '0',
    ';',
    ' ',
    'm',
  ],
  ...[
    '\u202e',
    '\u{e0020}',
    '\u{e0100}',
    '\ufe0f',
    '\u200d',
    '\ud83d',
    '\udc69',
    '\x1b]0;',
    '\x1b[',
    'x'.repeat(4094),
    '1'.repeat(127),
  ],
)
const foreign = fc
  .array(fc.oneof({ weight: 4, arbitrary: spice }, anyCharacter), {
    maxLength: 30,
  })
  .map((parts) => parts.join(''))

describe('any text', () => {
  sizedIt('comes out harmless, and unchanged a second time', () => {
    fc.assert(
      fc.property(foreign, (text) => {
        const shown = printable(text)
        expect(shown).not.toMatch(/[^\t\n\P{Cc}]|[\p{Cs}\p{Bidi_Control}\u{e0000}-\u{e007f}]/u)
        expect(printable(shown)).toBe(shown)
      }),
      { numRuns: sized(300, 60) },
    )
  })

  sizedIt('comes out the same however it is cut', () => {
    const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 8 })
    fc.assert(
      fc.property(foreign, cuts, (text, sizes) => {
        expect(streamed(...cutInto(text, sizes)).join('')).toBe(printable(text))
        expect(streamed(...text.slice(-300).split('')).join('')).toBe(printable(text.slice(-300)))
      }),
      { numRuns: sized(300, 60) },
    )
  })
})
