import { describe, expect, it } from 'vitest'
import { columnsOf } from '../../src/ink/columns.ts'
import { reduce } from '../../src/ink/reduce.ts'
import type { Screen } from '../../src/ink/state.ts'
import { drawStatus } from '../../src/ink/status.ts'
import { asks, bashRuns, delta, emptyScreen, fold, foldAsked, said } from './conversation.ts'
import { plain } from './screen-text.ts'

const status = {
  mode: 'accept-edits',
  model: 'anthropic/claude-sonnet-4-6',
  contextTokens: 68_000,
  contextWindow: 200_000,
  usage: { inputTokens: 180_000, outputTokens: 3_400 },
  costUsd: 0.0123,
  branch: 'main',
} as const

function shown(screen: Screen): string {
  return plain([drawStatus(screen)]).join('')
}

/** Creates a screen with all facts, at the given width. */
function full(columns: number): Screen {
  return reduce(emptyScreen({ columns, rows: 20 }), { type: 'status', status })
}

describe('the status line', () => {
  it.each([
    [120, 'accept-edits · anthropic/claude-sonnet-4-6 · ctx 34 % · 183k tokens · $0.0123 · main'],
    [80, 'accept-edits · anthropic/claude-sonnet-4-6 · ctx 34 % · 183k tokens · $0.0123'],
    [64, 'accept-edits · anthropic/claude-sonnet-4-6 · ctx 34 % · $0.0123'],
    [45, 'accept-edits · claude-sonnet-4-6 · ctx 34 %'],
    [40, 'accept-edits · ctx 34 % · $0.0123 · main'],
    [14, 'accept-edits'],
    [3, ''],
  ])('shows the most important facts on %i columns', (columns, expected) => {
    expect(shown(full(columns))).toBe(expected)
  })

  it('omits unknown facts', () => {
    expect(shown(emptyScreen())).toBe('default · test/model · main')
  })
})

describe('a silent server', () => {
  const waiting = fold(emptyScreen({ columns: 80, rows: 20 }), [said('go'), delta('Well')], 1_000)
  const at = (screen: Screen, now: number) => shown(reduce(screen, { type: 'tick', now }))

  it('is mentioned after 20 s', () => {
    expect(at(waiting, 20_900)).toBe('◐ 19 s · Esc stops · default · test/model · main')
    expect(at(waiting, 26_500)).toBe(
      '◐ no word from the server for 25 s, Esc stops · default · test/model · main',
    )
  })

  it('is mentioned on a narrow screen too', () => {
    const narrow = reduce(waiting, { type: 'resized', size: { columns: 40, rows: 12 } })
    expect(at(narrow, 26_500)).toBe('◐ no word for 25 s, Esc stops · default')
    expect(columnsOf(at(narrow, 26_500))).toBeLessThanOrEqual(40)
  })

  it('gets a retry after a countdown', () => {
    const retry = { type: 'retry', attempt: 1, reason: 'overloaded', waitMs: 8_000, discarded: [] } as const
    const times = [2_000, 7_900, 8_500].map((now) => at(fold(waiting, [retry]), now).slice(0, 15))
    expect(times).toEqual(['◐ retrying in 6', '◐ retrying in 1', '◐ 7 s · Esc sto'])
  })

  it('is not mentioned during a command, a question or an announced wait', () => {
    const busy = /^◐ 58 s · Esc stops/
    const retry = { type: 'retry', attempt: 1, reason: 'overloaded', waitMs: 45_000, discarded: [] } as const
    expect(at(fold(waiting, bashRuns('call_1', 'sleep 60', '')), 59_500)).toMatch(busy)
    expect(at(foldAsked(waiting, [asks('rm x')]), 59_500)).toMatch(busy)
    expect(at(fold(waiting, [retry]), 45_500)).toMatch(/^◐ 44 s/)
    expect(at(fold(waiting, [retry]), 66_000)).toMatch(/^◐ no word from the server for 21 s/)
  })
})
