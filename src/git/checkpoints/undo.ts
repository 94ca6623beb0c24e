import { PipeError } from '../../error.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { changedModes, notesOf, type UnsavedPart } from '../commit-notes.ts'
import { undoLimits } from '../save-limits.ts'
import type { Shadow } from '../shadow.ts'
import { joinFolders } from '../tree/bare-folders.ts'
import { treeOf } from '../tree/commit-tree.ts'
import { composeTree } from '../tree/compose-tree.ts'
import { withChanged } from '../tree/file-modes.ts'
import { clearStaging, type Files, prepareRestoration, type Restoration } from '../tree/restore.ts'
import { findReverted, type TreeChange } from '../tree/tree-diff.ts'
import { prepareWritten, type WrittenReturn } from './return-written.ts'
import { keep, listEntries, refOf, type StackSide, stackOf, type TurnEntry, writtenRef } from './stack.ts'

/** A turn that can be undone or redone. */
export type UndoableTurn = Pick<TurnEntry, 'side' | 'label' | 'at' | 'message' | 'session'>

export interface TurnUndoOptions {
  /** Default: each turn of this folder, whatever its session. */
  readonly session?: string | undefined
  /** Also overwrite files that changed since. Default: `false`. */
  readonly force?: boolean
  readonly signal: AbortSignal
}

/** The outcome for the files: sorted paths, relative to the root or absolute outside of it. Folders without saved files end with a slash. */
export interface UndoneTurn extends UndoableTurn {
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly broughtBack: readonly string[]
  /** Paths that the turn changed but that were not saved, such as files above the limit and new repositories. */
  readonly ignoredFiles: readonly string[]
  /** Parts of the project in which the turn may have changed more. */
  readonly unsaved: readonly UnsavedPart[]
}

/** Turns that can be redone, the next one last, followed by turns that can be undone, newest first. */
export async function listTurns(
  shadow: Shadow,
  { session, signal }: Pick<TurnUndoOptions, 'session' | 'signal'>,
): Promise<readonly UndoableTurn[]> {
  if (!shadow.exists) return []
  const entries = await listEntries(shadow.within(undoLimits.ms, signal), session)
  // A turn on both sides was never fully undone.
  const undone = stackOf(entries, 'redo').filter((entry) => counterpart(entries, entry) === undefined)
  return [...undone, ...[...stackOf(entries, 'undo')].reverse()]
}

/**
 * Restores the files to their state before the last turn that changed any. Throws `input` if there is none, and `conflict` if files
 * changed since, unless `force` is set.
 */
export function undoTurn(shadow: Shadow, options: TurnUndoOptions): Promise<UndoneTurn> {
  return step(shadow.within(undoLimits.ms, options.signal), 'undo', options)
}

/** Redoes the turn that was undone last. Throws what `undoTurn` throws. */
export function redoTurn(shadow: Shadow, options: TurnUndoOptions): Promise<UndoneTurn> {
  return step(shadow.within(undoLimits.ms, options.signal), 'redo', options)
}

async function step(
  shadow: Shadow,
  side: StackSide,
  { session, force = false }: TurnUndoOptions,
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
  readonly entry: TurnEntry
  /** The entry on the other side that an interrupted attempt left. */
  readonly begun: TurnEntry | undefined
  readonly force: boolean
}

async function turnOver(shadow: Shadow, { entry, begun, force }: Turning): Promise<UndoneTurn> {
  const { side, commit, session, number, label, at, message } = entry
  const turn = { label, at, ...omitUndefined({ message }) }
  const isUndo = side === 'undo'
  const old = entry.isCut ? commit : `${commit}^`
  const from = isUndo ? (entry.isCut ? undefined : commit) : old
  const plan = await (entry.isTreeless
    ? withoutTree(shadow, commit)
    : prepareRestoration(shadow, { from, to: isUndo ? old : commit, force }))
  const written =
    entry.written &&
    (await prepareWritten(shadow, {
      list: entry.written,
      to: isUndo ? 'before' : 'after',
      force,
      isBegun: begun !== undefined,
    }))
  const { ignoredFiles, unsaved } = await notesOf(shadow, commit)
  // From here on only a failure or a kill may interrupt, not the caller's signal.
  const steady = shadow.within(undoLimits.ms, new AbortController().signal)
  // Saves the real state before changing anything, so that the way back leads to it.
  const before = begun === undefined ? plan.before : await asBegun(steady, plan.before, begun)
  const [first, next] = isUndo ? [plan.after, before] : [before, plan.after]
  const parent = await keep(steady, { ...first, turn })
  const ref = refOf({ session, side: isUndo ? 'redo' : 'undo', number })
  const { isTreeless } = entry
  await keep(steady, { ...next, ignoredFiles, unsaved, isTreeless, parent, turn, ref })
  if (written) await written.note(steady, writtenRef(entry))
  plan.carryOut()
  if (written) written.carryOut()
  await steady.git(['update-ref', '-d', entry.ref])
  return { side, session, ...turn, ...outcomeOf(plan, written || undefined), ignoredFiles, unsaved }
}

/** The plan for a turn whose tree was not saved: nothing. */
async function withoutTree(shadow: Shadow, commit: string): Promise<Restoration> {
  const files = { tree: await treeOf(shadow, commit), modes: new Map(), folders: new Map() }
  return {
    before: files,
    after: files,
    changes: [],
    folders: { gone: [], made: [] },
    carryOut: () => undefined,
  }
}

/** The same turn on the other side. It is on both sides while it moves. */
function counterpart(entries: readonly TurnEntry[], turn: TurnEntry): TurnEntry | undefined {
  const others = entries.filter(({ side, session }) => side !== turn.side && session === turn.session)
  return others.find(
    ({ number, at, label }) => number === turn.number && at === turn.at && label === turn.label,
  )
}

/** The files as they were before the interrupted attempt: reverts what it did. */
async function asBegun(shadow: Shadow, now: Files, begun: TurnEntry): Promise<Files> {
  if (begun.isCut) return now
  const parent = `${begun.commit}^`
  const [done, undone] = begun.side === 'redo' ? [parent, begun.commit] : [begun.commit, parent]
  const back = await findReverted(shadow, { now: now.tree, done, undone })
  const noted = await notesOf(shadow, undone)
  const moved = changedModes({ from: await notesOf(shadow, done), to: noted, now: now.modes })
  const modes = withChanged(now.modes, noted.modes, [...back, ...moved.map((path) => ({ path }))])
  const folders = joinFolders(now.folders, noted.folders)
  return { tree: await composeTree(shadow, now.tree, back), modes, folders }
}

function outcomeOf(
  { changes, folders }: Restoration,
  written: WrittenReturn | undefined,
): Pick<UndoneTurn, 'changed' | 'removed' | 'broughtBack'> {
  const paths = (wanted: (change: TreeChange) => boolean) => changes.filter(wanted).map(({ path }) => path)
  const { changed = [], removed = [], broughtBack = [] } = written ?? {}
  // A file that a cut turn wrote is also in the tree: name it once.
  const once = (...lists: readonly (readonly string[])[]) => [...new Set(lists.flat())].sort()
  return {
    changed: once(
      paths((change) => change.old !== undefined && change.new !== undefined),
      changed,
    ),
    removed: once(
      paths((change) => change.new === undefined),
      folders.gone,
      removed,
    ),
    broughtBack: once(
      paths((change) => change.old === undefined),
      folders.made,
      broughtBack,
    ),
  }
}
