import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnsOfLine } from '../../../src/ink/rows/line.ts'
import { drawEntry } from '../../../src/ink/transcript/entry.ts'
import { cutInto } from '../../support/vendors/deltas.ts'
import { delta, emptyScreen, fold, turnEnd } from '../conversation.ts'
import { plain } from '../screen-text.ts'

const cell = fc.constantFrom(
  'a',
  'two words',
  '`code`',
  '日本語',
  'x'.repeat(30),
  '',
  '**bold** and more',
  'b<br>c',
)
const row = fc.tuple(cell, cell, cell).map((cells) => `| ${cells.join(' | ')} |\n`)
const table = fc
  .array(row, { minLength: 1, maxLength: 12 })
  .map((rows) => `| name | what it does | cost |\n|---|---|---:|\n${rows.join('')}`)

/** Returns the rows of a text that streams in these deltas, as they are printed. */
function printed(deltas: readonly string[], columns: number) {
  const { finished } = fold(emptyScreen({ columns, rows: 20 }), [...deltas.map((one) => delta(one)), turnEnd])
  return finished.flatMap((entry, i) => drawEntry(entry, columns, finished[i - 1]))
}

describe('a table', () => {
  it('gives the same rows in any pieces as at once, none too wide', () => {
    fc.assert(
      fc.property(
        table,
        fc.array(fc.nat({ max: 40 })),
        fc.integer({ min: 8, max: 70 }),
        (text, cuts, columns) => {
          const rows = printed([text], columns)
          expect(printed(cutInto(text, cuts), columns)).toEqual(rows)
          expect(rows.filter((one) => columnsOfLine(one) > columns)).toEqual([])
        },
      ),
    )
  })

  it('keeps the widths of its columns however long it gets', () => {
    const rows = Array.from(
      { length: 600 },
      (_, i) => `| ${i} | ${'word '.repeat(1 + Math.floor(i / 60))}|\n`,
    )
    const drawn = plain(printed(['| n | words |\n|---|---|\n', ...rows], 60))
      .filter((one) => one !== '')
      .map((one) => one.slice(2))
    expect(new Set(drawn.map((one) => one.search(/[│┼]/)))).toEqual(new Set([4]))
    expect(drawn.filter((one) => one.startsWith('n '))).toHaveLength(1)
    expect(drawn.filter((one) => /^599 /.test(one))).toHaveLength(1)
  })

  it('loses no word of a cell that is too wide', () => {
    const words = 'each of these words has to be read to understand the choice'
    const text = `| name | what |\n|---|---|\n| first | ${words} |\n| second | none |\n`
    const cells = plain(printed([text], 40)).map((one) => one.split('│')[1]?.trim() ?? '')
    expect(cells.join(' ')).toContain(words)
  })

  it('lists names and values where its columns would be too narrow', () => {
    const text =
      '| name | what | why | when |\n|---|---|---|---|\n| a | first things | because | now and then |\n| b | c | d | e |\n'
    expect(
      plain(printed([text], 26))
        .slice(plain(printed([text], 26)).findIndex((one) => one !== ''))
        .map((one) => one.trim()),
    ).toEqual([
      'name: a',
      'what: first things',
      'why: because',
      'when: now and then',
      '',
      'name: b',
      'what: c',
      'why: d',
      'when: e',
    ])
  })
})
