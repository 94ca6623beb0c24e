import { type Dirent, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { look } from '../../files/look.ts'
import { isMarked } from '../../files/mount-placeholder.ts'
import { systemCode } from '../../files/system-error.ts'
import type { Shadow } from '../shadow.ts'
import type { TreeChange } from './tree-diff.ts'

/**
 * Folders without saved files at one moment, each path with a trailing slash. A placeholder of a sandbox is neither removed nor restored. If
 * there were too many to note, no folder is.
 */
export type BareFolders = ReadonlyMap<string, 'plain' | 'placeholder'> | 'too_many'

interface FolderWalk {
  readonly isPassed: (path: string) => boolean
  /** If there are more folders than this, they are too many. */
  readonly most: number
}

/** Notes these folders and all below them, except skipped ones. Each path ends with a slash. */
export function noteFolders(
  shadow: Shadow,
  folders: readonly string[],
  { isPassed, most }: FolderWalk,
): BareFolders {
  const notes = new Map<string, 'plain' | 'placeholder'>()
  const pending = [...folders]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (isPassed(path)) continue
    if (notes.size >= most || shadow.isOver) return 'too_many'
    const folder = join(shadow.root, path.slice(0, -1))
    const found = look(folder)
    if (found !== undefined && isMarked(found)) {
      notes.set(path, 'placeholder')
      continue
    }
    notes.set(path, 'plain')
    for (const entry of entriesOf(folder) ?? []) {
      if (entry.isDirectory()) pending.push(`${path}${entry.name}/`)
    }
  }
  return notes
}

/** Whether the notes of two times name the same folders. True if there were too many to note. */
export function haveSameFolders(a: BareFolders, b: BareFolders): boolean {
  return missingIn(a, b).length + missingIn(b, a).length === 0
}

/** The folders of both notes. */
export function joinFolders(a: BareFolders, b: BareFolders): BareFolders {
  return a === 'too_many' || b === 'too_many' ? 'too_many' : new Map([...a, ...b])
}

/** The noted folders but these. */
export function withoutFolders(notes: BareFolders, gone: readonly string[]): BareFolders {
  if (notes === 'too_many') return notes
  const isGone = new Set(gone)
  return new Map([...notes].filter(([path]) => !isGone.has(path)))
}

/** Folders without saved files that a restoration removes and creates. Each path ends with a slash. */
export interface BareFolderChanges {
  /** Inner folders before outer ones. */
  readonly gone: readonly string[]
  /** Outer folders before inner ones. */
  readonly made: readonly string[]
}

interface NotedTimes {
  readonly from: BareFolders
  readonly to: BareFolders
  readonly now: BareFolders
}

/**
 * Plans the change from the folders noted with one commit to those of another. Keeps folders that are not empty, the working folder
 * and those that files move into. Creates none where something else exists.
 */
export function compareFolders(
  shadow: Shadow,
  { from, to, now }: NotedTimes,
  changes: readonly TreeChange[],
): BareFolderChanges {
  const [coming, leaving] = sortChanges(changes)
  const needed = new Set(coming.flatMap(above))
  const there = now === 'too_many' ? new Map<string, never>() : now
  const unneeded = missingIn(from, to).filter((path) => there.has(path) && !needed.has(path))
  const made = missingIn(to, from).filter((path) => hasRoom(shadow.root, path, new Set(leaving)))
  return { gone: emptiable(shadow, unneeded), made: made.sort() }
}

/** Paths of the files that a change creates or writes, and of those that it removes. */
function sortChanges(changes: readonly TreeChange[]): readonly [coming: string[], leaving: string[]] {
  const coming: string[] = []
  const leaving: string[] = []
  for (const { path, new: file } of changes) (file === undefined ? leaving : coming).push(path)
  return [coming, leaving]
}

/** Which of these folders hold nothing but each other, inner ones first. The working folder is not among them. */
function emptiable({ root, cwd }: Shadow, folders: readonly string[]): readonly string[] {
  const gone = new Set<string>()
  for (const path of folders.toSorted().reverse()) {
    if (join(root, path.slice(0, -1)) === cwd) continue
    const entries = entriesOf(join(root, path))
    if (entries?.every(({ name }) => gone.has(`${path}${name}/`)) === true) gone.add(path)
  }
  return [...gone]
}

/** The plain folders noted in the first but not in the second. */
function missingIn(notes: BareFolders, others: BareFolders): string[] {
  if (notes === 'too_many' || others === 'too_many') return []
  return [...notes].flatMap(([path, kind]) => (kind === 'plain' && !others.has(path) ? [path] : []))
}

/** Whether a folder does not exist but can be created once the leaving files are gone. */
function hasRoom(root: string, path: string, leaving: ReadonlySet<string>): boolean {
  // A name in another encoding was decoded with loss: creating it would make a different name.
  if (path.includes('\uFFFD')) return false
  for (const folder of [...above(path).reverse(), path]) {
    const name = folder.slice(0, -1)
    const found = look(join(root, name))
    if (found === undefined) return true
    if (!found.isDirectory()) return leaving.has(name)
  }
  return false
}

/** The folders above a path, inner ones first, each with a trailing slash. */
function above(path: string): string[] {
  const folders: string[] = []
  for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.push(`${at}/`)
  return folders
}

/** The entries of a folder. Returns `undefined` if it cannot be read. */
function entriesOf(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}
