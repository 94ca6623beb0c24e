import { describe, expect, it } from 'vitest'
import { describeAdvance, ProgressLine } from '../../../src/line/map/progress.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'

describe('the progress of a run over records', () => {
  it.each([
    [{ done: 3, failed: 0, costUsd: undefined, part: undefined }, '3 done'],
    [{ done: 3, failed: 2, costUsd: 0.126, part: 0.5 }, '3 done, 2 failed, $0.13, 1 m 00 s left'],
    [{ done: 3, failed: 0, costUsd: undefined, part: 1 }, '3 done'],
    [{ done: 0, failed: 0, costUsd: undefined, part: 0 }, '0 done'],
  ])('is told in a line', (advance, expected) => {
    expect(describeAdvance(advance, 60_000)).toBe(expected)
  })

  it('is drawn at most five times a second, and taken away', () => {
    const clock = createHandClock()
    let written = ''
    const line = new ProgressLine({ isTerminal: true, write: (text) => (written += text) }, clock)
    const advance = { done: 1, failed: 0, costUsd: undefined, part: undefined }
    line.clear()
    line.show(advance)
    line.show({ ...advance, done: 2 })
    clock.advance(200)
    line.show({ ...advance, done: 3 })
    line.clear()
    expect(written).toBe('\r1 done\x1b[K\r3 done\x1b[K\r\x1b[K')
  })
})
