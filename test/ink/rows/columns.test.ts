import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { columnsOf, fitting } from '../../../src/ink/rows/columns.ts'
import { growth } from '../../support/cost.ts'

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'a',
        'é',
        'e\u0301',
        '日',
        '한',
        '🙂',
        '👨‍👩‍👧',
        '🇩🇪',
        '❤️',
        '👍🏽',
        '…',
        '▌',
        'क्षि',
        'ก็',
        '！',
        '\u200b',
        ' ',
      ),
      fc.string({ unit: 'grapheme', maxLength: 3 }).map((one) => one.replace(/\p{Cc}/gu, '')),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''))

describe('the width of a text', () => {
  it('is that of its characters as a terminal shows them', () => {
    fc.assert(fc.property(text, (one) => columnsOf(one) === stringWidth(one)))
  })

  it('decides how many whole characters fit', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 40 }), (one, columns) => {
        const characters = Array.from(new Intl.Segmenter().segment(one), ({ segment }) => segment)
        const widths = characters.map((_, i) => stringWidth(characters.slice(0, i + 1).join('')))
        const end = widths.findIndex((width) => width > columns)
        const fits = end < 0 ? one : characters.slice(0, end).join('')
        expect(one.slice(0, fitting(one, 0, columns))).toBe(fits)
      }),
    )
  })

  it.each(['日本語', '🙂é', 'e\u0301'])('costs as much per row in a long text of %s', async (part) => {
    const measure = (length: number) => {
      const long = part.repeat(Math.ceil(length / part.length))
      for (let at = 0; at < long.length; ) at = fitting(long, at, 80)
    }
    measure(10_000)
    expect(await growth(measure, 160_000)).toBeLessThan(64)
  })
})
