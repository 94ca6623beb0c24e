import { describe, expect, it } from 'vitest'
import { rewriteRow } from '../../../src/ink/paint/rewrite-row.ts'

const bold = (text: string) => `\u001b[1m${text}\u001b[22m`
const inverse = (text: string) => `\u001b[7m${text}\u001b[27m`
const begin = `A row ${bold('that')} streams`

describe('a row', () => {
  it.each([
    ['on a blank one', undefined, begin, `\u001b[K${begin}\n`],
    ['that grows', begin, `${begin} on`, '\u001b[17C\u001b[Ks on\n'],
    ['that shrinks', `${begin} on`, begin, '\u001b[18C\u001b[K\n'],
    ['that begins in another style', begin, inverse(begin), `\u001b[K${inverse(begin)}\n`],
    [
      'within a style that stays',
      inverse(begin),
      inverse(`${begin} on`),
      `\u001b[K${inverse(`${begin} on`)}\n`,
    ],
    ['that shares little', 'A row', 'A row more', '\u001b[KA row more\n'],
    [
      'behind a mark, whose width is not certain',
      'a long e\u0301 beginning',
      'a long e\u0301 beginning more',
      undefined,
    ],
    ['with a long gap', undefined, `left${' '.repeat(20)}right`, '\u001b[Kleft\u001b[20Cright\n'],
    ['with a gap that is seen', undefined, inverse(' '.repeat(20)), `\u001b[K${inverse(' '.repeat(20))}\n`],
  ])('is written: %s', (_, before, row, bytes = `\u001b[K${row}\n`) => {
    expect(rewriteRow(before, row)).toBe(bytes)
  })
})
