import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { PipeError } from '../error.ts'
import { composeTree, composingIndex } from './compose-tree.ts'
import { compareFolders, type FolderChanges } from './folders.ts'
import { batches } from './index-update.ts'
import { undoLimits } from './limits.ts'
import { type Modes, notesOf, usual, withChanged } from './modes.ts'
import { enumerate } from './notes.ts'
import { placeFiles } from './placement.ts'
import type { Shadow } from './shadow.ts'
import { takeSnapshot } from './snapshot.ts'
import { diffTrees, sameFile, type TreeChange } from './tree-diff.ts'
import { findUnsaved } from './unsaved.ts'

interface Restoring {
  /** The commit that says what the files should be like now. `undefined`: they may be like anything, and only `force` goes on. */
  readonly from: string | undefined
  /** The commit that says what they are to be like. */
  readonly to: string
  /** Also what was changed since; it is saved first. What cannot be saved is never overwritten. */
  readonly force: boolean
}

/** All files, as a tree and what git does not know of it. */
export interface Files {
  readonly tree: string
  readonly modes: Modes
}

/** What is to be done to the files. Nothing is done yet. */
export interface Restoration {
  readonly before: Files
  readonly after: Files
  /** Sorted by path. */
  readonly changes: readonly TreeChange[]
  readonly folders: FolderChanges
  /** Does it, within milliseconds, at once: see `placeFiles`. */
  carryOut(): void
}

/**
 * Prepares that of every file in which two commits differ becomes what the second has; no other is touched. Throws `conflict`,
 * naming them, where such files are not as the first has them.
 */
export async function prepareRestoration(
  shadow: Shadow,
  { from, to, force }: Restoring,
): Promise<Restoration> {
  const untouched = shadow.readUntouched()
  const before = await takeSnapshot(shadow, { limits: undoLimits, untouched })
  const { changes, conflicts } = await compare(shadow, { from, to }, before.tree)
  if (conflicts.length > 0 && !force) throw changedSince(conflicts, from !== undefined)
  const { modes: wanted } = await notesOf(shadow, to)
  const expected = from === undefined ? undefined : (await notesOf(shadow, from)).modes
  const notes = { from: expected ?? before.modes, to: wanted, now: before.modes }
  const folders = compareFolders(shadow, notes, changes)
  if (changes.length + folders.gone.length + folders.made.length === 0) {
    return { before, after: before, changes, folders, carryOut: () => undefined }
  }
  const tree = await composeTree(shadow, before.tree, changes)
  const modes = withWidened(wanted, expected, changes)
  const staging = await stage(shadow, changes)
  await requireUnchanged(shadow, changes)
  return {
    before,
    after: { tree, modes: without(folders.gone, withChanged(before.modes, modes, changes)) },
    changes,
    folders,
    carryOut: () => placeFiles({ root: shadow.root, cwd: shadow.cwd, staging, changes, modes, folders }),
  }
}

/** What has to be done for the files, which are as a tree has them, and where that is not what was expected. */
async function compare(
  shadow: Shadow,
  { from, to }: Pick<Restoring, 'from' | 'to'>,
  tree: string,
): Promise<{ readonly changes: readonly TreeChange[]; readonly conflicts: readonly string[] }> {
  const since = new Map<string, TreeChange>()
  const moved = from === undefined ? [] : await diffTrees(shadow, [from, tree])
  for (const change of moved) since.set(change.path, change)
  const changes: TreeChange[] = []
  const conflicts: string[] = []
  for (const { path, old, new: wanted } of await diffTrees(shadow, [from ?? tree, to])) {
    const other = since.get(path)
    const now = other === undefined ? old : other.new
    if (sameFile(now, wanted)) continue
    if (from === undefined || other !== undefined) conflicts.push(path)
    changes.push({ path, old: now, new: wanted })
  }
  return { changes, conflicts }
}

/** Writes what is to come into a folder of our own, from which it only has to be moved. */
async function stage(shadow: Shadow, changes: readonly TreeChange[]): Promise<string> {
  clearStaging(shadow)
  const staging = stagingOf(shadow)
  const coming = changes.flatMap((change) => (change.new === undefined ? [] : [change.path]))
  const index = composingIndex(shadow)
  for (const batch of batches(coming)) {
    await shadow.git(['checkout-index', `--prefix=${staging}/`, '--', ...batch], { index })
  }
  return staging
}

/** Removes what was written beside for a restoration. */
export function clearStaging(shadow: Shadow): void {
  rmSync(stagingOf(shadow), { recursive: true, force: true })
}

function stagingOf({ path }: Shadow): string {
  return join(path, 'staging')
}

/** Modes that were noted, and what they were before they were narrowed; whatever else there is stays. */
function withWidened(wanted: Modes, expected: Modes | undefined, changes: readonly TreeChange[]): Modes {
  const widened = changes.flatMap(({ path, new: file }) =>
    file !== undefined && expected?.has(path) === true
      ? [[path, usual(Number.parseInt(file.mode, 8))] as const]
      : [],
  )
  return new Map([...widened, ...wanted])
}

function without(paths: readonly string[], modes: Modes): Modes {
  const left = new Set(paths)
  return new Map([...modes].filter(([path]) => !left.has(path)))
}

/** What was saved may have been changed while we were busy. */
async function requireUnchanged(shadow: Shadow, changes: readonly TreeChange[]): Promise<void> {
  const moved = new Set((await shadow.git(['diff-files', '-z', '--name-only'])).split('\0'))
  const changed = changes.flatMap(({ path }) => (moved.has(path) ? [path] : []))
  if (changed.length > 0)
    throw nothingRestored(`changed at this very moment: ${enumerate(changed, mostNamed)}`)
  const unsaved = findUnsaved(shadow.root, changes)
  if (unsaved.length > 0) throw nothingRestored(`in the way and not saved: ${enumerate(unsaved, mostNamed)}`)
}

/** So many files are named in an error. */
const mostNamed = 10

function changedSince(paths: readonly string[], isKnown: boolean): PipeError {
  const why = isKnown
    ? 'changed since the turn, so that this would be lost'
    : 'the files were not saved at the end of this turn, so that what it did cannot be told from what came after'
  return nothingRestored(`${why}: ${enumerate(paths, mostNamed)}`)
}

function nothingRestored(why: string): PipeError {
  return new PipeError('conflict', `nothing was restored: ${why}`)
}
