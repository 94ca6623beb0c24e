import { relative } from 'node:path'
import type { WorktreeDiff } from '../../machine/worktree.ts'
import { undoLimits } from '../save-limits.ts'
import type { Shadow } from '../shadow.ts'
import { diffWork } from '../worktrees/work-diff.ts'
import { listEntries, stackOf } from './stack.ts'

export interface TurnDiffOptions {
  readonly session: string
  /** Compares with before the first turn, and so includes changes by others between the turns. Otherwise only the last turn. */
  readonly isAll: boolean
  readonly signal: AbortSignal
}

/**
 * Compares the files saved before and after the turns of a session that changed some. `undefined` if none did, or if the last one is
 * not over.
 */
export async function diffTurns(
  shadow: Shadow,
  { session, isAll, signal }: TurnDiffOptions,
): Promise<WorktreeDiff | undefined> {
  if (!shadow.exists) return undefined
  const within = shadow.within(undoLimits.ms, signal)
  const turns = stackOf(await listEntries(within, session), 'undo').filter(({ isTreeless }) => !isTreeless)
  const [first, last] = [isAll ? turns[0] : turns.at(-1), turns.at(-1)]
  if (first === undefined || last === undefined || last.isCut) return undefined
  const from = first.isCut ? first.commit : `${first.commit}^`
  return diffWork(within, { from, to: last.commit, below: relative(shadow.root, shadow.cwd) })
}
