import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { enumerate } from '../../characters/enumerate.ts'
import { PipeError } from '../../error.ts'
import { findUnsaved } from '../checkpoints/unsaved.ts'
import { changedModes, notesOf } from '../commit-notes.ts'
import { undoLimits } from '../save-limits.ts'
import type { Shadow } from '../shadow.ts'
import {
  type BareFolderChanges,
  type BareFolders,
  compareFolders,
  joinFolders,
  withoutFolders,
} from './bare-folders.ts'
import { composeTree, composingIndex } from './compose-tree.ts'
import { type FileModes, usual, withChanged } from './file-modes.ts'
import { pathBatches } from './index-update.ts'
import { placeFiles } from './placement.ts'
import { takeSnapshot } from './snapshot.ts'
import { diffTrees, keptFiles, sameFile, type TreeChange } from './tree-diff.ts'

interface Restoring {
  /** The commit that the files are expected to match. `undefined`: unknown, so only `force` proceeds. */
  readonly from: string | undefined
  /** The commit to restore. */
  readonly to: string
  /** Also overwrites later changes, after saving them. Never overwrites what cannot be saved. */
  readonly force: boolean
}

/** The state of all files: a tree, and the modes and folders that git does not store. */
export interface Files {
  readonly tree: string
  readonly modes: FileModes
  readonly folders: BareFolders
}

/** A prepared change to the files. Nothing on disk has changed yet. */
export interface Restoration {
  readonly before: Files
  readonly after: Files
  /** Sorted by path. */
  readonly changes: readonly TreeChange[]
  readonly folders: BareFolderChanges
  /** Applies the change synchronously, within milliseconds: see `placeFiles`. */
  carryOut(): void
}

/**
 * Stages every file that differs between two commits, with the second commit's content. Touches no other file. Throws `conflict`,
 * naming the files, if some no longer match the first commit.
 */
export async function prepareRestoration(
  shadow: Shadow,
  { from, to, force }: Restoring,
): Promise<Restoration> {
  const untouched = shadow.readUntouched()
  const before = await takeSnapshot(shadow, {
    limits: undoLimits,
    untouched,
    enters: await repositoriesOf(shadow, { from, to }),
  })
  const { changes: differing, conflicts } = await compare(shadow, { from, to }, before.tree)
  if (conflicts.length > 0 && !force) throw changedSince(conflicts, { isKnown: from !== undefined, force })
  const wanted = await notesOf(shadow, to)
  const expected = from === undefined ? undefined : await notesOf(shadow, from)
  const paths = expected === undefined ? [] : changedModes({ from: expected, to: wanted, now: before.modes })
  const changes = joined(differing, await keptFiles(shadow, before.tree, paths))
  const noted = { from: (expected ?? before).folders, to: wanted.folders, now: before.folders }
  const folders = compareFolders(shadow, noted, changes)
  if (changes.length + folders.gone.length + folders.made.length === 0) {
    return { before, after: before, changes, folders, carryOut: () => undefined }
  }
  const tree = await composeTree(shadow, before.tree, changes)
  const modes = withWidened(wanted.modes, expected?.modes, changes)
  const staging = await stage(shadow, changes)
  await requireUnchanged(shadow, changes)
  return {
    before,
    after: {
      tree,
      modes: withChanged(before.modes, wanted.modes, changes),
      folders: withoutFolders(joinFolders(before.folders, wanted.folders), folders.gone),
    },
    changes,
    folders,
    carryOut: () => {
      const { root, cwd } = shadow
      placeFiles({ root, cwd, staging, changes, modes, keeps: wanted.folders, folders })
    },
  }
}

/** Both lists, sorted by path. A path in both counts as in the first. */
function joined(changes: readonly TreeChange[], more: readonly TreeChange[]): readonly TreeChange[] {
  const known = new Set(changes.map(({ path }) => path))
  const all = [...changes, ...more.filter(({ path }) => !known.has(path))]
  return all.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Whether files of a nested repository differ between the commits. It has none in the index if an undo has removed them. */
async function repositoriesOf(
  shadow: Shadow,
  { from, to }: Pick<Restoring, 'from' | 'to'>,
): Promise<(repository: string) => boolean> {
  const changes = from === undefined ? [] : await diffTrees(shadow, [from, to])
  return (repository) => changes.some(({ path }) => path.startsWith(repository))
}

/** Compares the current tree with the wanted commit. `conflicts` are paths that differ from the expected commit. */
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

/** Writes the new files of a composed tree to our own folder, so that only a move remains. */
export async function stage(shadow: Shadow, changes: readonly TreeChange[]): Promise<string> {
  clearStaging(shadow)
  const staging = stagingOf(shadow)
  const coming = changes.flatMap((change) => (change.new === undefined ? [] : [change.path]))
  const index = composingIndex(shadow)
  for (const batch of pathBatches(coming)) {
    await shadow.git(['checkout-index', `--prefix=${staging}/`, '--', ...batch], { index })
  }
  return staging
}

/** Removes the staged files. */
export function clearStaging(shadow: Shadow): void {
  for (const folder of [stagingOf(shadow), stagingOfWritten(shadow)])
    rmSync(folder, { recursive: true, force: true })
}

/** The folder for staged files that are not in the saved tree. */
export function stagingOfWritten({ path }: Shadow): string {
  return join(path, 'staging-written')
}

function stagingOf({ path }: Shadow): string {
  return join(path, 'staging')
}

/** The wanted modes, plus usual ones for files that only the expected commit narrows. Other files keep theirs. */
function withWidened(
  wanted: FileModes,
  expected: FileModes | undefined,
  changes: readonly TreeChange[],
): FileModes {
  const widened = changes.flatMap(({ path, new: file }) =>
    file !== undefined && expected?.has(path) === true
      ? [[path, usual(Number.parseInt(file.mode, 8))] as const]
      : [],
  )
  return new Map([...widened, ...wanted])
}

/** Throws `conflict` if files changed after the snapshot, or if unsaved files are in the way. */
async function requireUnchanged(shadow: Shadow, changes: readonly TreeChange[]): Promise<void> {
  const changed = await changedSinceSnapshot(shadow, changes)
  if (changed.length > 0) throw nothingRestored(`changed while this ran: ${enumerate(changed, mostNamed)}`)
  const unsaved = findUnsaved(shadow.root, changes)
  if (unsaved.length > 0) throw nothingRestored(`in the way and not saved: ${enumerate(unsaved, mostNamed)}`)
}

/** The paths among the changes whose files are no longer what the last snapshot found. */
export async function changedSinceSnapshot(
  shadow: Shadow,
  changes: readonly Pick<TreeChange, 'path'>[],
): Promise<readonly string[]> {
  const moved = new Set((await shadow.git(['diff-files', '-z', '--name-only'])).split('\0'))
  return changes.flatMap(({ path }) => (moved.has(path) ? [path] : []))
}

/** How many files an error names. */
const mostNamed = 10

interface Refused {
  /** Whether it is known how the turn left the files. */
  readonly isKnown: boolean
  /** Whether force was tried already. */
  readonly force: boolean
}

/** Says that these files are not as the turn left them; or, unless that is known, that they may not be. Names force if it may help. */
export function changedSince(paths: readonly string[], { isKnown, force }: Refused): PipeError {
  const why = isKnown
    ? 'changed since the turn, and would be lost'
    : 'the files were not saved at the end of this turn, so its changes cannot be told from later ones'
  const advice = force ? '' : '; force overwrites them (--force, /undo force, /redo force)'
  return nothingRestored(`${why}: ${enumerate(paths, mostNamed)}${advice}`)
}

function nothingRestored(why: string): PipeError {
  return new PipeError('conflict', `nothing was restored: ${why}`)
}
