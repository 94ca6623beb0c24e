import { describe, expect, it } from 'vitest'
import { line, lineText } from '../../../src/ink/rows/line.ts'
import { wrapTableRow } from '../../../src/ink/rows/table-row.ts'

const wrapped = (text: string, width: number) => wrapTableRow(line(text), width, 2).map(lineText)

describe('a row of a table', () => {
  it('goes on below its last column', () => {
    expect(wrapped('  name  user  a text of some words', 30)).toEqual([
      '  name  user  a text of some ',
      '              words',
    ])
  })

  it('goes on a step further in if the last column is too narrow for its words', () => {
    expect(wrapped('  file    ~/a/path/that/is/long.json', 30)).toEqual([
      '  file    ',
      '    ~/a/path/that/is/long.json',
    ])
    expect(wrapped('  a name that is long  and its text', 32)).toEqual([
      '  a name that is long  and its ',
      '    text',
    ])
  })

  it('keeps its own indent if it has no columns', () => {
    expect(wrapped('    some words of a text', 20)).toEqual(['    some words of a ', '    text'])
    expect(wrapped('  some words of a text', 20)).toEqual(['  some words of a ', '  text'])
  })
})
