import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnsOfLine, cut, line, paint, span, wrap } from '../../src/ink/line.ts'
import { plain } from './screen-text.ts'

const words = fc.array(fc.constantFrom('a', 'word', 'x'.repeat(30), '日本', '🙂', 'é', '  '), {
  maxLength: 40,
})

describe('a line', () => {
  it('breaks at spaces and indents its later rows', () => {
    expect(plain(wrap(line('• one two three four'), 9, 2))).toEqual(['• one two', '  three', '  four'])
  })

  it('breaks inside a word only if the word is longer than a row', () => {
    expect(plain(wrap(line('ab cdefghijk'), 5))).toEqual(['ab', 'cdefg', 'hijk'])
  })

  it('counts wide characters as the terminal does', () => {
    expect(plain(wrap(line('日本語'), 4))).toEqual(['日本', '語'])
    expect(plain([cut(line('日本語'), 5)])).toEqual(['日本…'])
  })

  it('is never wider than the given width, and loses only spaces', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 40 }), fc.nat({ max: 6 }), (parts, width, hang) => {
        const text = parts.join(' ')
        const rows = wrap([span(text.slice(0, 5), { bold: true }), span(text.slice(5))], width, hang)
        const letters = (of: string) => of.replaceAll(' ', '')
        expect(rows.filter((row) => columnsOfLine(row) > width)).toEqual([])
        expect(letters(plain(rows).join(''))).toBe(letters(text))
        expect(columnsOfLine(cut(line(text), width))).toBeLessThanOrEqual(width)
      }),
    )
  })

  it('is painted with the codes of its styles, and without colours on request', () => {
    const one = [span('a'), span('b', { color: 'red', bold: true })]
    expect(paint(one, true)).toBe('a\u001b[1;31mb\u001b[0m')
    expect(paint(one, false)).toBe('a\u001b[1mb\u001b[0m')
  })
})
