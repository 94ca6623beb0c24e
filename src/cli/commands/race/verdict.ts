import { PipeError } from '../../../error.ts'
import type { WorktreeDiff } from '../../../machine/worktree.ts'

/** The result of one model. `done`: it changed files, and there was no check. */
export type RaceResult = 'passed' | 'done' | 'failed' | 'no_changes' | 'error'

/** The result of one model. */
export interface RaceFinish {
  /** Names its kept work. */
  readonly id: string
  /** As the user wrote it. */
  readonly model: string
  readonly result: RaceResult
  readonly diff: WorktreeDiff
  readonly ref: string
  /** Absent if no price is known. */
  readonly costUsd?: number | undefined
  /** Milliseconds of its turn, without the check. */
  readonly durationMs: number
  readonly sessionId?: string | undefined
  /** Why it ended early, or why the check failed. */
  readonly error?: PipeError | undefined
}

/** Added and removed lines. Binary files count as one. */
function changedLines({ files }: WorktreeDiff): number {
  return files.reduce((sum, { added = 1, removed = 0 }) => sum + added + removed, 0)
}

/**
 * Chooses the winner: one that passed the check, or made changes without one; then the smallest diff, the lowest cost, and the shortest
 * time. An unknown cost is the highest.
 */
export function chooseWinner(finishes: readonly RaceFinish[]): RaceFinish | undefined {
  const able = finishes.filter(({ result }) => result === 'passed' || result === 'done')
  return [...able].sort(compare)[0]
}

function compare(a: RaceFinish, b: RaceFinish): number {
  return (
    changedLines(a.diff) - changedLines(b.diff) ||
    order(a.costUsd ?? Number.POSITIVE_INFINITY, b.costUsd ?? Number.POSITIVE_INFINITY) ||
    a.durationMs - b.durationMs
  )
}

/** Two unknown costs differ by no number. */
function order(a: number, b: number): number {
  return a === b ? 0 : a - b
}

/** The error of a race that nobody won: the first model's if all ended early, else `check`. */
export function noWinner(finishes: readonly RaceFinish[]): PipeError {
  const [first] = finishes
  if (first?.error !== undefined && finishes.every(({ result }) => result === 'error')) {
    return new PipeError(first.error.code, 'no model finished', { details: first.error.details })
  }
  const checked = finishes.some(({ result }) => result === 'failed')
  return new PipeError('check', checked ? 'no model passed the check' : 'no model finished with changes')
}
