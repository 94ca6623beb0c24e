import { describe, expect, it } from 'vitest'
import { drawLive } from '../../src/ink/live/live-rows.ts'
import { reduce } from '../../src/ink/reduce/reduce.ts'
import { drawRetry } from '../../src/ink/retry.ts'
import { columnsOfLine, lineText } from '../../src/ink/rows/line.ts'
import type { Screen } from '../../src/ink/state.ts'
import { assistant, text } from '../support/messages/messages.ts'
import { bashRuns, delta, emptyScreen, fold, said, turnEnd } from './conversation.ts'

const failed = (attempt: number, waitMs = 4_000, discarded: readonly string[] = []) =>
  ({ type: 'retry', attempt, reason: 'the connection was lost', waitMs, discarded }) as const
const wide = { columns: 100, rows: 24 }
const at = (screen: Screen, now: number) =>
  drawRetry(reduce(screen, { type: 'tick', now })).map((row) => lineText(row).trimStart())
const notes = ({ finished }: Screen) => finished.flatMap((entry) => (entry.type === 'note' ? [entry] : []))

describe('a request that is sent again', () => {
  it('has one row, whose countdown and attempt are replaced in place', () => {
    const first = fold(emptyScreen(wide), [said('go'), failed(1)])
    expect([1, 2_500, 4_100].map((now) => at(first, now))).toEqual([
      ['the connection was lost; trying again in 4 s, attempt 2 of 6 · Esc stops'],
      ['the connection was lost; trying again in 2 s, attempt 2 of 6 · Esc stops'],
      ['the connection was lost; trying again, attempt 2 of 6 · Esc stops'],
    ])
    const second = fold(first, [failed(2)], 5_000)
    expect(at(second, 5_000)).toEqual([
      'the connection was lost; trying again in 4 s, attempt 3 of 6 · Esc stops',
    ])
    expect(notes(second)).toEqual([])
  })

  it('leaves one row in the transcript once it was answered', () => {
    const screen = fold(emptyScreen(wide), [
      said('go'),
      ...[failed(1), failed(2), delta('Fine.')],
      { type: 'message', message: assistant(text('Fine.')) },
      turnEnd,
    ])
    expect(notes(screen)).toEqual([{ type: 'note', level: 'info', text: 'answered after 3 attempts' }])
    expect([screen.retry, at(screen, 9_000)]).toEqual([undefined, []])
  })

  it('is shown only until the answer begins', () => {
    const waiting = fold(emptyScreen(wide), [said('go'), failed(1)])
    expect(at(fold(waiting, [delta('Fine.')]), 5_000)).toEqual([])
    expect(at(fold(waiting, bashRuns('call_1', 'make', '')), 5_000)).toEqual([])
  })

  it('leaves no row of its own if the turn ends without an answer', () => {
    const waiting = fold(emptyScreen(wide), [said('go'), failed(1)])
    const stopped = reduce(waiting, { type: 'interrupted' })
    expect([stopped.retry, notes(stopped).map((one) => one.text)]).toEqual([undefined, []])
    const left = fold(waiting, [
      { type: 'message', message: { ...assistant(text('Half')), stopReason: 'error' } },
      turnEnd,
    ])
    expect([left.retry, notes(left)]).toEqual([undefined, []])
  })

  it('declares void what the transcript shows of the answer, and nothing else', () => {
    const live = fold(emptyScreen(wide), [said('go'), delta('Half a'), failed(1, 4_000, ['text_1'])])
    expect([live.draft, notes(live)]).toEqual([undefined, []])
    const printed = fold(emptyScreen(wide), [
      said('go'),
      delta('One.\n\nTwo.\n\nThree'),
      failed(1, 4_000, ['text_1']),
    ])
    expect(notes(printed).map((one) => one.text)).toEqual([
      'the connection was lost; the answer starts over, so ignore what it said so far',
    ])
  })

  it.each([120, 80, 60, 40, 24, 12, 1])('fits a window of %i columns', (columns) => {
    const screen = fold(emptyScreen({ columns, rows: 12 }), [said('go'), failed(1)])
    const rows = drawRetry(screen)
    expect(rows).toHaveLength(1)
    expect(rows.every((row) => columnsOfLine(row) <= columns)).toBe(true)
    expect(drawLive(screen).length).toBeLessThanOrEqual(10)
    if (columns >= 40) expect(lineText(rows[0] ?? [])).toMatch(/^the conn.*; trying again in 4 s/)
  })
})
