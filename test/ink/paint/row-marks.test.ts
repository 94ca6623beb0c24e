import { describe, expect, it } from 'vitest'
import { RowMarks } from '../../../src/ink/paint/row-marks.ts'

describe('the marks of rows', () => {
  it('stand for the rows, whatever these hold', () => {
    const marks = new RowMarks()
    const rows = ['one', 'a <1> in it', '', 'one', '\u001b[1m<0>\u001b[0m']
    const laidOut = rows.map((row) => marks.markOf(row))
    expect(laidOut[0]).toBe(laidOut[3])
    expect(new Set(laidOut).size).toBe(4)
    expect(marks.filled(`\u001b[2K${marks.markAbove('said <2>\n')}${laidOut.join('\n')}`)).toBe(
      `\u001b[2Ksaid <2>\n${rows.join('\n')}`,
    )
  })

  it('change only with the row, and are known for several screens more', () => {
    const marks = new RowMarks()
    const first = marks.markOf('first')
    for (let i = 0; i < 500; i++) marks.markOf(`row ${i}`)
    expect(marks.filled(first)).toBe('first')
    for (let i = 0; i < 5_000; i++) {
      marks.markOf(`row ${i}`)
      if (i % 100 === 0) expect(marks.markOf('first')).toBe(first)
    }
  })

  it('write the text above them once', () => {
    const marks = new RowMarks()
    const above = marks.markAbove('text')
    expect([marks.filled(above), marks.filled(above)]).toEqual(['text', ''])
  })
})
