import { PipeError } from '../error.ts'
import { composeTree } from './compose-tree.ts'
import { undoLimits } from './limits.ts'
import { notesOf, withChanged } from './modes.ts'
import { clearStaging, type Files, prepareRestoration, type Restoration } from './restore.ts'
import type { Shadow } from './shadow.ts'
import { drop, type Entry, keep, listEntries, refOf, type Side, stackOf } from './stack.ts'
import { diffTrees, type TreeChange } from './tree-diff.ts'

/** A turn that can be undone or brought back. */
export type UndoableTurn = Pick<Entry, 'side' | 'label' | 'at' | 'session'>

export interface UndoOptions {
  /** Default: each turn of this folder, whatever its session. */
  readonly session?: string
  /** Also where files were changed since. */
  readonly force?: boolean
  readonly signal: AbortSignal
}

/** What became of the files, paths from the root on, sorted. Folders in which nothing was saved are named with a slash at their end. */
export interface UndoneTurn extends UndoableTurn {
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly broughtBack: readonly string[]
  /** What the turn wrote and nothing is known of, because it is ignored, too large or outside of the project. */
  readonly leftAlone: readonly string[]
}

/** The turns that can be undone, newest first, after those that can be brought back, the next one last. */
export async function listTurns(
  shadow: Shadow,
  { session, signal }: Pick<UndoOptions, 'session' | 'signal'>,
): Promise<readonly UndoableTurn[]> {
  if (!shadow.exists) return []
  const entries = await listEntries(shadow.within(undoLimits.ms, signal), session)
  // One that is on both sides was never wholly undone.
  const undone = stackOf(entries, 'redo').filter((entry) => counterpart(entries, entry) === undefined)
  return [...undone, ...[...stackOf(entries, 'undo')].reverse()]
}

/**
 * Puts the files back as they were before the last turn that changed some. Throws `input` where there is none, and `conflict`
 * where files were changed since, unless it is forced.
 */
export function undoTurn(shadow: Shadow, options: UndoOptions): Promise<UndoneTurn> {
  return step(shadow.within(undoLimits.ms, options.signal), 'undo', options)
}

/** Does again what the last undo took back. Throws what `undoTurn` throws. */
export function redoTurn(shadow: Shadow, options: UndoOptions): Promise<UndoneTurn> {
  return step(shadow.within(undoLimits.ms, options.signal), 'redo', options)
}

async function step(
  shadow: Shadow,
  side: Side,
  { session, force = false }: UndoOptions,
): Promise<UndoneTurn> {
  const nothing = new PipeError('input', `there is nothing to ${side} in ${shadow.root}`)
  if (!shadow.exists) throw nothing
  return shadow.exclusively(async () => {
    const entries = await listEntries(shadow, session)
    const top = stackOf(entries, side).at(-1)
    if (top === undefined) throw nothing
    try {
      return await turnOver(shadow, { entry: top, begun: counterpart(entries, top), force })
    } finally {
      clearStaging(shadow)
    }
  })
}

interface Turning {
  readonly entry: Entry
  /** What an earlier try, which was cut, has kept for the way back. */
  readonly begun: Entry | undefined
  readonly force: boolean
}

async function turnOver(shadow: Shadow, { entry, begun, force }: Turning): Promise<UndoneTurn> {
  const { side, commit, session, number, label, at } = entry
  const isUndo = side === 'undo'
  const old = entry.isCut ? commit : `${commit}^`
  const from = isUndo ? (entry.isCut ? undefined : commit) : old
  const plan = await prepareRestoration(shadow, { from, to: isUndo ? old : commit, force })
  const { leftAlone } = await notesOf(shadow, commit)
  // Nothing but a failure, or a kill, comes between from here on.
  const steady = shadow.within(undoLimits.ms, new AbortController().signal)
  // What it was really like is kept before anything is done, so that the way back leads there.
  const before = begun === undefined ? plan.before : await asBegun(steady, plan.before, begun)
  const [first, next] = isUndo ? [plan.after, before] : [before, plan.after]
  const parent = await keep(steady, { ...first, label, at })
  const ref = refOf({ session, side: isUndo ? 'redo' : 'undo', number })
  await keep(steady, { ...next, leftAlone, parent, label, at, ref })
  plan.carryOut()
  await drop(steady, [entry])
  return { side, session, label, at, ...outcomeOf(plan), leftAlone }
}

/** The same turn on the other side: it is on both while it is turned over. */
function counterpart(entries: readonly Entry[], turn: Entry): Entry | undefined {
  const others = entries.filter(({ side, session }) => side !== turn.side && session === turn.session)
  return others.find(
    ({ number, at, label }) => number === turn.number && at === turn.at && label === turn.label,
  )
}

/** The files as they were before the try that was cut: what it has done is taken for not done. */
async function asBegun(shadow: Shadow, now: Files, begun: Entry): Promise<Files> {
  if (begun.isCut) return now
  const parent = `${begun.commit}^`
  const [done, undone] = begun.side === 'redo' ? [parent, begun.commit] : [begun.commit, parent]
  const moved = new Set((await diffTrees(shadow, [done, now.tree])).map(({ path }) => path))
  const changes = await diffTrees(shadow, [done, undone])
  const back = changes.filter(({ path }) => !moved.has(path))
  const noted = await notesOf(shadow, undone)
  const modes = withChanged(now.modes, noted.modes, back)
  return { tree: await composeTree(shadow, now.tree, back), modes }
}

function outcomeOf({
  changes,
  folders,
}: Restoration): Pick<UndoneTurn, 'changed' | 'removed' | 'broughtBack'> {
  const paths = (wanted: (change: TreeChange) => boolean) => changes.filter(wanted).map(({ path }) => path)
  return {
    changed: paths((change) => change.old !== undefined && change.new !== undefined),
    removed: [...paths((change) => change.new === undefined), ...folders.gone].sort(),
    broughtBack: [...paths((change) => change.old === undefined), ...folders.made].sort(),
  }
}
