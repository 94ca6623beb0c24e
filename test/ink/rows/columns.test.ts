import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect } from 'vitest'
import { columnsOf, fitting, graphemes, isEven } from '../../../src/ink/rows/columns.ts'
import { growth } from '../../support/cost.ts'
import { quickIt as it, sized, sizedIt } from '../../support/thorough.ts'

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
  it.each([
    ['a', 1],
    ['日本', 4],
    ['e\u0301', 1],
    ['각', 2],
    ['\u1100\u1161\u11a8', 2],
    ['क्षि', 3],
    ['กำ', 2],
    ['ກຳ', 2],
    ['ก็', 1],
    ['a\u00adb', 3],
    ['👍🏽', 4],
    ['👨\u200d👩\u200d👧', 6],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['1️⃣', 2],
    ['မြန်မာ', 6],
    ['तमिल', 4],
  ])('of %s is %d: the most that a terminal takes', (one, columns) => {
    expect(columnsOf(one)).toBe(columns)
  })

  it('is at least that of its characters, and of its code points', () => {
    fc.assert(
      fc.property(text, (one) => {
        const columns = columnsOf(one)
        expect(columns).toBeGreaterThanOrEqual(stringWidth(one))
        expect(columns).toBe(graphemes(one).reduce((sum, part) => sum + columnsOf(part), 0))
      }),
    )
  })

  it.each([
    ['plain text, ünïcode, 日本語 🙂', true],
    ['e\u0301 각', true],
    ['नमस्ते', false],
    ['กำ', false],
    ['👍🏽', false],
    ['❤️', false],
  ])('of %s is the same on all terminals: %s', (one, isSame) => {
    expect(isEven(one)).toBe(isSame)
  })

  it('decides how many whole characters fit', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 40 }), (one, columns) => {
        const characters = graphemes(one)
        const widths = characters.map((_, i) => columnsOf(characters.slice(0, i + 1).join('')))
        const end = widths.findIndex((width) => width > columns)
        const fits = end < 0 ? one : characters.slice(0, end).join('')
        expect(one.slice(0, fitting(one, 0, columns))).toBe(fits)
      }),
    )
  })

  sizedIt.each(sized(['日本語', '🙂é', 'e\u0301', 'क्षि'], ['日本語']))(
    'costs as much per row in a long text of %s',
    async (part) => {
      const measure = (length: number) => {
        const long = part.repeat(Math.ceil(length / part.length))
        for (let at = 0; at < long.length; ) at = fitting(long, at, 80)
      }
      measure(10_000)
      expect(await growth(measure, 160_000)).toBeLessThan(64)
    },
  )
})
