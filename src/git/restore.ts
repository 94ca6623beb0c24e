import { chmodSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { isPipeError, PipeError } from '../error.ts'
import { batches } from './index-update.ts'
import { undoLimits } from './limits.ts'
import type { Allowance, Shadow } from './shadow.ts'
import { takeSnapshot } from './snapshot.ts'
import { diffTrees, sameFile, type TreeChange } from './tree-diff.ts'
import { findUnsaved } from './unsaved.ts'

export interface Restoring {
  /** What the files should be like now, a tree or a commit. `undefined`: they may be like anything, and only `force` goes on. */
  readonly from: string | undefined
  readonly to: string
  /** Also what was changed since; it is saved first. What cannot be saved is never overwritten. */
  readonly force: boolean
}

export interface RestoredFiles {
  /** Trees of all files before and after. */
  readonly before: string
  readonly after: string
  /** Paths from the root on, sorted. */
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly broughtBack: readonly string[]
}

/**
 * Makes of every file in which two trees differ what the second has, and touches no other. Throws `conflict`, naming them, where
 * such files are not as the first has them, and has done nothing then.
 */
export async function restoreFiles(
  shadow: Shadow,
  { from, to, force }: Restoring,
  allowance: Allowance,
): Promise<RestoredFiles> {
  const { tree } = await takeSnapshot(
    shadow,
    { limits: undoLimits, untouched: shadow.readUntouched() },
    allowance,
  )
  const since = new Map<string, TreeChange>()
  const moved = from === undefined ? [] : await diffTrees(shadow, [from, tree], allowance)
  for (const change of moved) since.set(change.path, change)
  const todo: TreeChange[] = []
  const conflicts: string[] = []
  for (const { path, old, new: wanted } of await diffTrees(shadow, [from ?? tree, to], allowance)) {
    const other = since.get(path)
    const now = other === undefined ? old : other.new
    if (sameFile(now, wanted)) continue
    if (from === undefined || other !== undefined) conflicts.push(path)
    todo.push({ path, old: now, new: wanted })
  }
  if (conflicts.length > 0 && !force) throw changedSince(conflicts, from !== undefined)
  const unsaved = findUnsaved(shadow.root, todo)
  if (unsaved.length > 0) throw nothingRestored(`in the way and not saved: ${enumerate(unsaved)}`)
  const after = todo.length === 0 ? tree : await apply(shadow, tree, todo, allowance)
  return { before: tree, after, ...sorted(todo) }
}

function sorted(changes: readonly TreeChange[]): Omit<RestoredFiles, 'before' | 'after'> {
  const paths = (wanted: (change: TreeChange) => boolean) => changes.filter(wanted).map(({ path }) => path)
  return {
    changed: paths((change) => change.old !== undefined && change.new !== undefined),
    removed: paths((change) => change.new === undefined),
    broughtBack: paths((change) => change.old === undefined),
  }
}

/** Git itself goes from one tree to the other: it checks first, and changes nothing where a file was changed meanwhile. */
async function apply(
  shadow: Shadow,
  tree: string,
  todo: readonly TreeChange[],
  allowance: Allowance,
): Promise<string> {
  const after = await composeTree(shadow, tree, todo, allowance)
  const modes = todo.flatMap(({ path, old, new: wanted }) =>
    isRegular(old?.mode) && isRegular(wanted?.mode) ? [modeOf(join(shadow.root, path))] : [],
  )
  try {
    await shadow.git(['read-tree', '-m', '-u', tree, after], allowance)
  } catch (error) {
    if (!isPipeError(error) || error.details['reason'] !== 'exit') throw error
    throw nothingRestored(error.message)
  }
  for (const { path, mode } of modes) keepMode(path, mode)
  return after
}

/** The tree with these files changed. */
async function composeTree(
  shadow: Shadow,
  tree: string,
  todo: readonly TreeChange[],
  allowance: Allowance,
): Promise<string> {
  const aside = { index: join(shadow.path, 'restore') }
  await shadow.git(['read-tree', tree], allowance, aside)
  const gone = todo.flatMap((change) => (change.new === undefined ? [change.path] : []))
  for (const batch of batches(gone)) {
    await shadow.git(['update-index', '--force-remove', '--', ...batch], allowance, aside)
  }
  const there = todo.flatMap(({ path, new: wanted }) =>
    wanted === undefined ? [] : [`${wanted.mode},${wanted.id},${path}`],
  )
  for (const batch of batches(there)) {
    const entries = batch.flatMap((entry) => ['--cacheinfo', entry])
    await shadow.git(['update-index', '--add', '--replace', ...entries], allowance, aside)
  }
  return (await shadow.git(['write-tree'], allowance, aside)).trim()
}

/** Git knows of a file's mode only whether it may be run; who may read and write it stays as it was. */
function keepMode(path: string, old: number): void {
  const { mode } = lstatSync(path)
  const readers = old & 0o666
  const wanted = (mode & 0o111) === 0 ? readers : readers | 0o100 | ((readers & 0o044) >> 2)
  if ((mode & 0o777) !== wanted) chmodSync(path, wanted)
}

function isRegular(mode: string | undefined): boolean {
  return mode === '100644' || mode === '100755'
}

function modeOf(path: string): { readonly path: string; readonly mode: number } {
  return { path, mode: lstatSync(path).mode }
}

function changedSince(paths: readonly string[], isKnown: boolean): PipeError {
  const why = isKnown
    ? 'changed since the turn, so that this would be lost'
    : 'the files were not saved at the end of this turn, so that what it did cannot be told from what came after'
  return nothingRestored(`${why}: ${enumerate(paths)}`)
}

function nothingRestored(why: string): PipeError {
  return new PipeError('conflict', `nothing was restored: ${why}`)
}

function enumerate(paths: readonly string[]): string {
  return paths.slice(0, 10).join(', ') + (paths.length > 10 ? ` and ${paths.length - 10} more` : '')
}
