import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineText } from '../../../src/ink/rows/line.ts'
import { ByteSource, type Bytes, bytesOf } from '../../../src/ink/view/byte-source.ts'
import type { Source } from '../../../src/ink/view/source.ts'

const width = 40

/** Returns all places, walked from the first to the last. */
function placesOf(source: Source): readonly number[] {
  const places: number[] = []
  for (let at = 0; at < source.end(width); at = source.next(at, width)) places.push(at)
  return places
}

function textOf(source: Source): readonly string[] {
  return placesOf(source).map((at) => source.rows(at, width).map(lineText).join(''))
}

function find(source: Source, words: string, from: number, isBackward = false): number | undefined {
  const steps = source.find({ words, from, isBackward }, width)
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}

/** Texts of short and of very long lines, with characters of one to four bytes. */
const anyText = fc
  .array(
    fc.record({
      words: fc.constantFrom('word ', 'é', '日本', '😀', 'x', ''),
      times: fc.constantFrom(0, 1, 3, 700, 3_000),
      end: fc.constantFrom('\n', '', '\r\n'),
    }),
    { maxLength: 12 },
  )
  .map((parts) => parts.map(({ words, times, end }) => words.repeat(times) + end).join(''))

describe('bytes shown as text', () => {
  it('show each character once, in order, whatever the lengths of the lines', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(textOf(new ByteSource(bytesOf(text))).join('')).toBe(text.replace(/[\r\n]/g, ''))
      }),
      { numRuns: 30 },
    )
  })

  it('lead back over the same places', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const source = new ByteSource(bytesOf(text))
        const places = placesOf(source)
        const back: number[] = []
        for (let at = source.end(); at > 0; ) {
          at = source.previous(at)
          back.unshift(at)
        }
        expect(back).toEqual(places)
      }),
    )
  })

  it('are lines where a text has lines', () => {
    const source = new ByteSource(bytesOf('one\n\nthree\r\nfour'))
    expect(textOf(source)).toEqual(['one', '', 'three', 'four'])
  })

  it('show a progress bar as a terminal leaves it', () => {
    expect(textOf(new ByteSource(bytesOf('10 %\r55 %\rdone\nnext\r\n')))).toEqual(['done', 'next'])
  })

  it('act on nothing: control sequences are left out', () => {
    expect(textOf(new ByteSource(bytesOf('\u001b[31mred\u001b[0m \u001b]0;title\u0007end')))).toEqual([
      'red end',
    ])
  })

  it('read little of a large file for a screenful, wherever it is', () => {
    const read: number[] = []
    const large: Bytes = {
      size: 50_000_000,
      read: (at, length) => {
        read.push(length)
        const bytes = new Uint8Array(Math.max(0, Math.min(length, 50_000_000 - at))).fill(97)
        for (let i = (80 - (at % 80)) % 80; i < bytes.length; i += 80) bytes[i] = 10
        return bytes
      },
    }
    const source = new ByteSource(large)
    let at = source.end()
    for (let i = 0; i < 40; i++) at = source.previous(at)
    for (let i = 0; i < 40; i++) {
      source.rows(at, width)
      at = source.next(at)
    }
    expect(at).toBe(source.end())
    expect(source.count(at)).toBeUndefined()
    expect(read.reduce((sum, length) => sum + length, 0)).toBeLessThan(2_000_000)
  })

  it('count their lines from one', () => {
    const source = new ByteSource(bytesOf('a\nb\nc\n'))
    expect(placesOf(source).map((at) => source.count(at))).toEqual([
      { number: 1, total: 3 },
      { number: 2, total: 3 },
      { number: 3, total: 3 },
    ])
  })
})

describe('a search', () => {
  it('finds what a plain search of the lines finds, in both directions', () => {
    const lines = fc.array(fc.constantFrom('alpha', 'Beta', 'gamma', 'x'.repeat(5_000), '', 'beta max'), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(lines, fc.nat(60), fc.boolean(), (texts, start, isBackward) => {
        const source = new ByteSource(bytesOf(texts.map((one) => `${one}\n`).join('')))
        const places = placesOf(source)
        const shown = textOf(source)
        const from = places[Math.min(start, places.length - 1)] ?? 0
        const hits = places.filter((_, i) => shown[i]?.toLowerCase().includes('beta'))
        const expected = isBackward ? hits.findLast((at) => at < from) : hits.find((at) => at >= from)
        expect(find(source, 'beta', from, isBackward)).toBe(expected)
      }),
    )
  })

  it('tells capital letters apart only if it has some', () => {
    const source = new ByteSource(bytesOf('error\nError\n'))
    expect([find(source, 'error', 0), find(source, 'Error', 0), find(source, 'ERROR', 0)]).toEqual([
      0,
      6,
      undefined,
    ])
  })

  it('finds words on the border between two blocks of a long text', () => {
    const before = `${'a'.repeat(63)}\n`.repeat(1_023)
    const source = new ByteSource(bytesOf(`${before}${'b'.repeat(60)}needle\nlast\n`))
    expect(find(source, 'needle', 0)).toBe(before.length)
    expect(find(source, 'needle', source.end(), true)).toBe(before.length)
  })

  it('pauses while it reads a long text', () => {
    const source = new ByteSource(bytesOf('x\n'.repeat(2_000_000)))
    expect([...source.find({ words: 'needle', from: 0, isBackward: false })].length).toBeGreaterThan(2)
  })
})
