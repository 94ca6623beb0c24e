import { PipeError } from '../error.ts'
import { undoLimits } from './limits.ts'
import { restoreFiles } from './restore.ts'
import type { Allowance, Shadow } from './shadow.ts'
import { drop, type Entry, keep, listEntries, refOf, type Side, topOf } from './stack.ts'

/** A turn that can be undone or brought back. */
export type UndoableTurn = Pick<Entry, 'side' | 'label' | 'at' | 'session'>

export interface UndoOptions {
  /** Default: the one in which it happened last in this folder. */
  readonly session?: string
  /** Also where files were changed since. */
  readonly force?: boolean
  readonly signal: AbortSignal
}

/** What became of the files, paths from the root on, sorted. */
export interface UndoneTurn extends UndoableTurn {
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly broughtBack: readonly string[]
}

/** The turns that can be undone, newest first, after those that can be brought back, the next one last. */
export async function listTurns(
  shadow: Shadow,
  { session, signal }: Pick<UndoOptions, 'session' | 'signal'>,
): Promise<readonly UndoableTurn[]> {
  if (!shadow.exists) return []
  const entries = await readEntries(shadow, session, shadow.allow(undoLimits.ms, signal))
  const turns = (side: Side) => entries.filter((entry) => entry.side === side).reverse()
  return [...turns('redo'), ...turns('undo')]
}

/**
 * Puts the files back as they were before the last turn that changed some. Throws `input` where there is none, and `conflict`
 * where files were changed since, unless it is forced.
 */
export function undoTurn(shadow: Shadow, options: UndoOptions): Promise<UndoneTurn> {
  return step(shadow, 'undo', options)
}

/** Does again what the last undo took back. Throws what `undoTurn` throws. */
export function redoTurn(shadow: Shadow, options: UndoOptions): Promise<UndoneTurn> {
  return step(shadow, 'redo', options)
}

async function step(
  shadow: Shadow,
  side: Side,
  { session, force = false, signal }: UndoOptions,
): Promise<UndoneTurn> {
  const nothing = new PipeError('input', `there is nothing to ${side} in ${shadow.root}`)
  if (!shadow.exists) throw nothing
  const allowance = shadow.allow(undoLimits.ms, signal)
  return shadow.exclusively(allowance, async () => {
    const top = topOf(await readEntries(shadow, session, allowance, side), side)
    if (top === undefined) throw nothing
    return turnOver(shadow, top, force, allowance)
  })
}

async function turnOver(
  shadow: Shadow,
  entry: Entry,
  force: boolean,
  allowance: Allowance,
): Promise<UndoneTurn> {
  const { side, commit, session, number, label, at } = entry
  const isUndo = side === 'undo'
  const old = entry.isCut ? commit : `${commit}^`
  const from = isUndo ? (entry.isCut ? undefined : commit) : old
  const { before, after, ...paths } = await restoreFiles(
    shadow,
    { from, to: isUndo ? old : commit, force },
    allowance,
  )
  // What it was really like is kept, so that the way back leads there.
  const [tree, next] = isUndo ? [after, before] : [before, after]
  const parent = await keep(shadow, { tree, label, at }, allowance)
  const ref = refOf({ session, side: isUndo ? 'redo' : 'undo', number })
  await keep(shadow, { tree: next, parent, label, at, ref }, allowance)
  await drop(shadow, [entry], allowance)
  return { side, session, label, at, ...paths }
}

/** Of one session: the one that is asked for, or the one with the newest entry of this side. */
async function readEntries(
  shadow: Shadow,
  session: string | undefined,
  allowance: Allowance,
  side?: Side,
): Promise<readonly Entry[]> {
  const entries = await listEntries(shadow, session, allowance)
  const own = entries.filter((entry) => side === undefined || entry.side === side)
  const newest = session ?? own.reduce(laterOf, undefined)?.session
  return entries.filter((entry) => entry.session === newest)
}

function laterOf(best: Entry | undefined, entry: Entry): Entry {
  return best === undefined || entry.madeAt >= best.madeAt ? entry : best
}
