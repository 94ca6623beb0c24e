import { join } from 'node:path'
import { look } from '../../files/look.ts'
import { atOnce } from '../at-once.ts'
import { pairs, tagged } from '../records.ts'
import type { SaveLimits } from '../save-limits.ts'
import { anchored, type Shadow } from '../shadow.ts'
import { listRepositories } from '../worktrees/enter-repositories.ts'
import { type BareFolders, noteFolders } from './bare-folders.ts'
import { type FileModes, ModeNotes } from './file-modes.ts'
import { addAll, forget } from './index-update.ts'

/** A folder's files at one moment. */
export interface FileSnapshot {
  /** The tree object that holds them. */
  readonly tree: string
  /** Whether the tree has a file or link at this path. */
  readonly holds: (path: string) => boolean
  readonly modes: FileModes
  readonly folders: BareFolders
  /** Paths that are too large, unreadable or not valid text. */
  readonly leftOut: readonly string[]
  /** All skipped paths: ignored ones, nested repositories and what was left out. Folders end with a slash. */
  readonly untouched: readonly string[]
  /** Nested repositories that are not saved, without those skipped when the turn began. */
  readonly repositories: Repositories
}

/** Folders with a repository of their own, each with a trailing slash. */
interface Repositories {
  readonly tooLarge: readonly string[]
  /** Not asked for. */
  readonly passed: readonly string[]
  /** Asked for, but without a file to save. */
  readonly empty: readonly string[]
}

interface SnapshotOptions {
  readonly limits: Pick<SaveLimits, 'files' | 'fileBytes'>
  /**
   * Paths skipped when the turn began, whatever `.gitignore` says now: a file that existed but was not saved must not look as if
   * the turn had created it. Default: the turn begins now.
   */
  readonly untouched?: readonly string[]
  /** Paths that are saved even if they are ignored. Default: none. */
  readonly tracked?: ReadonlySet<string>
  /** Whether to save the files of this nested repository, too. Default: of none. */
  readonly enters?: (repository: string) => boolean
  /** Nested repositories without files when the turn began: if it makes them plain folders, it has made no folders. Default: none. */
  readonly empty?: readonly string[]
}

/**
 * Saves a folder's files through git's own index, which reads only what changed since the last time. Skips ignored files. Throws
 * `tool` with `too_many` or `timeout`; the next attempt continues where this one stopped.
 */
export async function takeSnapshot(shadow: Shadow, options: SnapshotOptions): Promise<FileSnapshot> {
  const { found, skipped } = await findAll(shadow, options)
  const { holds, leftOut, modes } = await updateIndex(shadow, found, options)
  const { ignored, nested } = found
  const passed = [...ignored.now, ...ignored.known, ...nested, ...leftOut]
  const { tree, folders } = await writeTree(shadow, passed, options)
  return {
    tree,
    holds,
    modes,
    folders,
    leftOut,
    untouched: passed.filter((path) => !skipped.empty.includes(path)),
    repositories: { ...skipped, passed: nested.filter((path) => !isAmong(skipped, path)) },
  }
}

/** The paths that git finds in a folder. */
interface Found {
  readonly ignored: Ignored
  /** All files in the index or beside it, with git's tags. */
  readonly tagged: readonly Tagged[]
  /** Files that are not in the index. */
  readonly files: readonly string[]
  /** Nested repositories that are not in the index, each with a trailing slash. */
  readonly nested: readonly string[]
  /** Files of the index that changed. */
  readonly changed: readonly string[]
  /** Files of the index that are gone. */
  readonly gone: readonly string[]
}

type Tagged = readonly [tag: string, path: string]

/** Nested repositories that were asked for, but whose files are not saved. */
type Skipped = Pick<Repositories, 'tooLarge' | 'empty'>

/** Finds all files, those of the nested repositories that were asked for included. */
async function findAll(
  shadow: Shadow,
  options: SnapshotOptions,
): Promise<{ readonly found: Found; readonly skipped: Skipped }> {
  let skipped: Skipped = { tooLarge: [], empty: [] }
  for (;;) {
    const found = await find(shadow, options)
    const { nested, tagged: all } = found
    const wanted = nested.filter((path) => !isAmong(skipped, path) && options.enters?.(path) === true)
    if (wanted.length === 0) return { found, skipped }
    const room = options.limits.files - (all.length - nested.length)
    const { tooLarge, empty, hasFiles } = await enter(shadow, wanted, { options, room })
    skipped = { tooLarge: [...skipped.tooLarge, ...tooLarge], empty: [...skipped.empty, ...empty] }
    if (!hasFiles) return { found, skipped }
  }
}

async function find(shadow: Shadow, { limits, untouched }: SnapshotOptions): Promise<Found> {
  const before = untouched ?? []
  const [ignored, listed, differing] = await atOnce(shadow, (side) => [
    untouched === undefined ? listIgnored(side, limits) : Promise.resolve({ now: before, known: [] }),
    side.git(['ls-files', '-z', '-t', '-c', '-o', ...exclusions(side, before)], {
      maxRecords: limits.files,
    }),
    side.git(['diff-files', '-z', '--name-status', '--no-renames']),
  ])
  const isUntouched = withAncestors(before)
  const all = tagged(listed)
  const others = all.flatMap(([tag, path]) => (tag === '?' && !isUntouched(path) ? [path] : []))
  const [nested, files] = partition(others, (path) => path.endsWith('/'))
  const [gone, changed] = partition(pairs(differing), ([status]) => status === 'D')
  return { ignored, tagged: all, files, nested, changed: changed.map(pathOf), gone: gone.map(pathOf) }
}

function pathOf([, path]: Tagged): string {
  return path
}

/** Makes the index equal to the files that were found. `leftOut` are those that it cannot hold. */
async function updateIndex(
  shadow: Shadow,
  found: Found,
  { limits, tracked = new Set() }: SnapshotOptions,
): Promise<Pick<FileSnapshot, 'holds' | 'leftOut' | 'modes'>> {
  const notes = new ModeNotes(shadow)
  const leaving = [...found.gone, ...found.ignored.known.filter((path) => !tracked.has(path))]
  for (const path of leaving) notes.note(path, undefined)
  await forget(shadow, leaving)
  const ignored = ignoredAmong(tracked, found.tagged, shadow)
  const coming = new Set([...found.changed, ...found.files, ...ignored])
  const leftOut = await addNoted(shadow, [...coming], { limits, notes })
  const isGone = new Set([...leaving, ...leftOut])
  const isListed = (path: string) => found.tagged.some(([tag, name]) => tag !== '?' && name === path)
  const holds = (path: string) => !isGone.has(path) && (coming.has(path) || isListed(path))
  return { holds, leftOut, modes: notes.modes }
}

/** Adds files to the index and notes their modes. Returns those that it cannot hold, which it forgets. */
async function addNoted(
  shadow: Shadow,
  paths: readonly string[],
  { limits, notes }: { readonly limits: Pick<SaveLimits, 'fileBytes'>; readonly notes: ModeNotes },
): Promise<readonly string[]> {
  const adding = addAll(shadow, paths, { fileBytes: limits.fileBytes, notes })
  const leftOut = await adding.finally(() => notes.save())
  await forget(shadow, leftOut)
  return leftOut
}

/** Writes the index as a tree, and notes the folders without files in it, except those that were passed. */
async function writeTree(
  shadow: Shadow,
  passed: readonly string[],
  { limits, untouched = [], empty = [] }: SnapshotOptions,
): Promise<{ readonly tree: string; readonly folders: BareFolders }> {
  const [tree, unsaved] = await atOnce(shadow, (side) => [
    side.git(['write-tree']),
    side.git(['ls-files', '-z', '-o', '--directory', ...exclusions(side, untouched)]),
  ])
  const isPassed = withAncestors([...untouched, ...passed, ...empty])
  const bare = unsaved.split('\0').filter((path) => path.endsWith('/'))
  return { tree: tree.trim(), folders: noteFolders(shadow, bare, { isPassed, most: limits.files }) }
}

function isAmong({ tooLarge, empty }: Skipped, path: string): boolean {
  return tooLarge.includes(path) || empty.includes(path)
}

interface Entered extends Skipped {
  /** Whether files were added, among which git may find more repositories. */
  readonly hasFiles: boolean
}

/** Adds the files of nested repositories to the index, so that git finds and compares them like all others. */
async function enter(
  shadow: Shadow,
  repositories: readonly string[],
  { options, room }: { readonly options: SnapshotOptions; readonly room: number },
): Promise<Entered> {
  const { limits, untouched = [] } = options
  const { files, tooLarge } = await listRepositories(shadow, repositories, {
    exclusions: exclusions(shadow, untouched),
    room,
  })
  const plain = files.filter((path) => !path.endsWith('/'))
  const leftOut = new Set(await addNoted(shadow, plain, { limits, notes: new ModeNotes(shadow) }))
  const added = plain.filter((path) => !leftOut.has(path))
  const isLarge = new Set(tooLarge)
  const empty = repositories.filter(
    (name) => !isLarge.has(name) && !added.some((path) => path.startsWith(name)),
  )
  return { tooLarge, empty, hasFiles: added.length > 0 }
}

/** The tracked files that are there but that git did not find, because they are ignored. */
function ignoredAmong(
  tracked: ReadonlySet<string>,
  found: readonly Tagged[],
  { root }: Shadow,
): readonly string[] {
  if (tracked.size === 0) return []
  const known = new Set(found.map(([, path]) => path))
  const wanted = [...tracked].filter((path) => !known.has(path))
  return wanted.filter((path) => look(join(root, path))?.isDirectory() === false)
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))]
}

/** Ignored paths: `now` holds those not saved (whole folders as one), `known` those saved before they were ignored. */
interface Ignored {
  readonly now: readonly string[]
  readonly known: readonly string[]
}

/** Lists ignored paths that are not saved, whole folders as one with a slash at the end. */
export async function ignoredPaths(
  shadow: Shadow,
  limits: Pick<SaveLimits, 'files'>,
): Promise<readonly string[]> {
  return (await listIgnored(shadow, limits)).now
}

async function listIgnored(shadow: Shadow, { files }: Pick<SaveLimits, 'files'>): Promise<Ignored> {
  const args = ['ls-files', '-z', '-t', '-c', '-o', '-i', '--directory', ...exclusions(shadow, [])]
  const listed = tagged(await shadow.git(args, { maxRecords: 10 * files }))
  const having = (wanted: string) => listed.flatMap(([tag, path]) => (tag === wanted ? [path] : []))
  return { now: ends(having('?')), known: having('H') }
}

/**
 * Drops folders that have entries in the list: git also lists a folder that holds only ignored files, but it is not ignored itself,
 * and files added to it may not be either.
 */
function ends(paths: readonly string[]): readonly string[] {
  const set = new Set(paths)
  for (const path of paths) {
    const [, parent = ''] = /^(.*\/)[^/]+\/?$/.exec(path) ?? []
    set.delete(parent)
  }
  return [...set]
}

/** Characters of patterns that fit on a command line along with its other arguments. */
const patternLimit = 100_000

/** Arguments that exclude ignored paths, and untouched folders so that git need not walk them. */
function exclusions({ excludes }: Shadow, before: readonly string[]): readonly string[] {
  const patterns: string[] = []
  let left = patternLimit
  for (const path of before) {
    if (!path.endsWith('/')) continue
    const pattern = `--exclude=${anchored(path)}`
    left -= pattern.length
    if (left < 0) break
    patterns.push(pattern)
  }
  const isFile = look(excludes)?.isFile() ?? false
  return ['--exclude-standard', ...(isFile ? [`--exclude-from=${excludes}`] : []), ...patterns]
}

/** Whether a path, or a folder above it, is among these. */
function withAncestors(entries: readonly string[]): (path: string) => boolean {
  const set = new Set(entries)
  return (path) => {
    if (set.has(path)) return true
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      if (set.has(path.slice(0, at + 1))) return true
    }
    return false
  }
}
