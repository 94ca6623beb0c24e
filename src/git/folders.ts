import { type Dirent, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { look } from '../files/look.ts'
import { isMarked, standInBit } from '../files/stand-in.ts'
import { systemCode } from '../files/system-error.ts'
import { everyFolder, type Modes } from './modes.ts'
import type { Shadow } from './shadow.ts'
import type { TreeChange } from './tree-diff.ts'

interface FolderWalk {
  readonly isPassed: (path: string) => boolean
  /** If there are more folders than this, notes none of them. */
  readonly most: number
}

/**
 * Notes these folders and all below them, except skipped ones. Each path ends with a slash; each note is 0, or the mark of
 * a stand-in.
 */
export function noteFolders(
  shadow: Shadow,
  folders: readonly string[],
  { isPassed, most }: FolderWalk,
): Modes {
  const notes = new Map<string, number>()
  const pending = [...folders]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (isPassed(path)) continue
    if (notes.size >= most || shadow.isOver) return new Map([[everyFolder, 0]])
    const folder = join(shadow.root, path.slice(0, -1))
    const found = look(folder)
    const isPlaced = found !== undefined && isMarked(found)
    notes.set(path, isPlaced ? standInBit : 0)
    if (isPlaced) continue
    for (const entry of entriesOf(folder) ?? []) {
      if (entry.isDirectory()) pending.push(`${path}${entry.name}/`)
    }
  }
  return notes
}

/** Whether the notes of two times name the same folders. True if there were too many to note. */
export function haveSameFolders(a: Modes, b: Modes): boolean {
  return missingIn(a, b).length + missingIn(b, a).length === 0
}

/** Folders without saved files that a restoration removes and creates. Each path ends with a slash. */
export interface FolderChanges {
  /** Inner folders before outer ones. */
  readonly gone: readonly string[]
  /** Outer folders before inner ones. */
  readonly made: readonly string[]
}

interface FolderNotes {
  readonly from: Modes
  readonly to: Modes
  readonly now: Modes
}

/**
 * Plans the change from the folders noted with one commit to those of another. Keeps folders that are not empty, the working folder
 * and those that files move into. Creates none where something else exists.
 */
export function compareFolders(
  { root, cwd }: Shadow,
  { from, to, now }: FolderNotes,
  changes: readonly TreeChange[],
): FolderChanges {
  const needed = new Set(changes.flatMap(({ path, new: file }) => (file === undefined ? [] : above(path))))
  const leaving = new Set(changes.flatMap(({ path, new: file }) => (file === undefined ? [path] : [])))
  const gone = new Set<string>()
  for (const path of missingIn(from, to).sort().reverse()) {
    if (!now.has(path) || needed.has(path) || join(root, path.slice(0, -1)) === cwd) continue
    const entries = entriesOf(join(root, path))
    if (entries?.every(({ name }) => gone.has(`${path}${name}/`)) === true) gone.add(path)
  }
  const made = missingIn(to, from).filter((path) => hasRoom(root, path, leaving))
  return { gone: [...gone], made: made.sort() }
}

/** The folders noted in the first but not in the second. */
function missingIn(notes: Modes, others: Modes): string[] {
  if (notes.has(everyFolder) || others.has(everyFolder)) return []
  return [...notes].flatMap(([path, mode]) =>
    path.endsWith('/') && mode === 0 && !others.has(path) ? [path] : [],
  )
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
