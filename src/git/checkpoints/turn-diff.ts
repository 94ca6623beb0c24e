import { relative } from 'node:path'
import type { WorktreeDiff } from '../../machine/worktree.ts'
import { undoLimits } from '../save-limits.ts'
import type { Shadow } from '../shadow.ts'
import { diffWork } from '../worktrees/work-diff.ts'
import { listEntries, stackOf } from './stack.ts'

export interface TurnDiffOptions {
  readonly session: string
  /** Compares with before as many turns, and so includes changes by others between them: all, or the last ones. */
  readonly turns: number | 'all'
  readonly signal: AbortSignal
}

/**
 * Compares the files saved before and after the turns of a session that changed some. `undefined` if none did, or if the last one is
 * not over.
 */
export async function diffTurns(
  shadow: Shadow,
  { session, turns: wanted, signal }: TurnDiffOptions,
): Promise<WorktreeDiff | undefined> {
  if (!shadow.exists) return undefined
  const within = shadow.within(undoLimits.ms, signal)
  const all = stackOf(await listEntries(within, session), 'undo')
  const turns = (wanted === 'all' ? all : all.slice(-wanted)).filter(({ isTreeless }) => !isTreeless)
  const [first, last] = [turns[0], turns.at(-1)]
  if (first === undefined || last === undefined || last.isCut) return undefined
  const from = first.isCut ? first.commit : `${first.commit}^`
  return diffWork(within, { from, to: last.commit, below: relative(shadow.root, shadow.cwd) })
}
