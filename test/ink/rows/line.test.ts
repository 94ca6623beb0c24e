import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnsOfLine, cut, line, paint, span, wrap } from '../../../src/ink/rows/line.ts'
import { themes } from '../../../src/ink/rows/theme.ts'
import { plain } from '../screen-text.ts'

const words = fc.array(fc.constantFrom('a', 'word', 'x'.repeat(30), '日本', '🙂', 'é', '  '), {
  maxLength: 40,
})

describe('a line', () => {
  it('breaks at spaces and indents its later rows', () => {
    expect(plain(wrap(line('• one two three four'), 9, 2))).toEqual(['• one two', '  three', '  four'])
  })

  it('breaks inside a word only if the word is longer than a row', () => {
    expect(plain(wrap(line('ab cdefghijk'), 5))).toEqual(['ab', 'cdefg', 'hijk'])
    expect(plain(wrap(line('  abcdefg h'), 5))).toEqual(['  abc', 'defg', 'h'])
  })

  it('counts wide characters as the terminal does', () => {
    expect(plain(wrap(line('日本語'), 4))).toEqual(['日本', '語'])
    expect(plain([cut(line('日本語'), 5)])).toEqual(['日本…'])
  })

  it('is never wider than the given width, and loses only spaces', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 40 }), fc.nat({ max: 6 }), (parts, width, hang) => {
        const text = parts.join(' ')
        const first = Array.from(text).slice(0, 5).join('')
        const rest = text.slice(first.length)
        const rows = wrap([span(first, { bold: true }), span(rest)], width, hang)
        const letters = (of: string) => of.replaceAll(' ', '')
        expect(rows.filter((row) => columnsOfLine(row) > width)).toEqual([])
        expect(letters(plain(rows).join(''))).toBe(letters(text))
        expect(columnsOfLine(cut(line(text), width))).toBeLessThanOrEqual(width)
      }),
    )
  })

  it('is painted with the codes of its styles, and without colours on request', () => {
    const one = [span('a'), span('b', { color: 'bad', bold: true })]
    expect(paint(one, themes.dark)).toBe('a\u001b[1;31mb\u001b[0m')
    expect(paint(one, themes.none)).toBe('a\u001b[1mb\u001b[0m')
  })

  it('gives text on a tint a colour of its own, so that it shows on any background', () => {
    const row = [span('a', { tint: 'said' }), span('b', { tint: 'said', color: 'good' })]
    expect(paint(row, themes.dark)).toBe('\u001b[38;5;253;48;5;236ma\u001b[0m\u001b[32;48;5;236mb\u001b[0m')
    expect(paint(row, themes.ansi)).toBe('a\u001b[32mb\u001b[0m')
  })

  it('passes from colour to colour without a reset, but not out of another style', () => {
    const row = [
      span('a', { color: 'muted' }),
      span('b', { color: 'faint' }),
      span('c', { color: 'faint', bold: true }),
      span('d', { color: 'accent' }),
    ]
    expect(paint(row, themes.dark)).toBe(
      '\u001b[38;5;246ma\u001b[38;5;241mb\u001b[0m\u001b[1;38;5;241mc\u001b[0m\u001b[36md\u001b[0m',
    )
    // Dim is no colour: it stays until it is reset.
    expect(paint(row.slice(0, 2).concat(span('e', { color: 'good' })), themes.ansi)).toBe(
      '\u001b[2mab\u001b[0m\u001b[32me\u001b[0m',
    )
  })
})
