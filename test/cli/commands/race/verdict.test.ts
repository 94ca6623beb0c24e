import { expect, it } from 'vitest'
import { chooseWinner, noWinner, type RaceFinish } from '../../../../src/cli/commands/race/verdict.ts'
import { PipeError } from '../../../../src/error.ts'

/** A finish with this many changed lines. */
function finish(model: string, lines: number, more: Partial<RaceFinish> = {}): RaceFinish {
  const diff = { text: '', files: [{ path: 'a', added: lines, removed: 0 }] }
  return {
    id: `r-${model}`,
    ref: `refs/pipe/race/r-${model}`,
    model,
    result: 'passed',
    diff,
    durationMs: 1_000,
    ...more,
  }
}

it.each<[string, readonly RaceFinish[], string | undefined]>([
  ['the one that passed', [finish('a', 1, { result: 'failed' }), finish('b', 90)], 'b'],
  ['the smaller diff', [finish('a', 3), finish('b', 2, { costUsd: 9 })], 'b'],
  ['the lower cost', [finish('a', 2, { costUsd: 2 }), finish('b', 2, { costUsd: 1 })], 'b'],
  ['a known cost', [finish('a', 2), finish('b', 2, { costUsd: 1 })], 'b'],
  ['the shorter time', [finish('a', 2), finish('b', 2, { durationMs: 999 })], 'b'],
  ['the first of equal ones', [finish('a', 2), finish('b', 2)], 'a'],
  ['one without a check', [finish('a', 2, { result: 'error' }), finish('b', 2, { result: 'done' })], 'b'],
  ['nobody', [finish('a', 0, { result: 'no_changes' }), finish('b', 1, { result: 'error' })], undefined],
])('the winner is %s', (_, finishes, model) => {
  expect(chooseWinner(finishes)?.model).toBe(model)
})

it('a race without a winner fails as its first model did if all ended early, else as a check', () => {
  const early = (code: 'auth' | 'network') => ({ result: 'error', error: new PipeError(code, 'no') }) as const
  expect(noWinner([finish('a', 0, early('auth')), finish('b', 0, early('network'))])).toMatchObject({
    code: 'auth',
  })
  const failed = { result: 'failed', error: new PipeError('check', 'it ended with 1') } as const
  expect(noWinner([finish('a', 0, early('auth')), finish('b', 1, failed)])).toMatchObject({
    code: 'check',
    message: 'no model passed the check',
  })
  expect(noWinner([finish('a', 0, { result: 'no_changes' })])).toMatchObject({
    code: 'check',
    message: 'no model finished with changes',
  })
})
