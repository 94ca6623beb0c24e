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
  /** Of more, none is noted. */
  readonly most: number
}

/**
 * The notes on these folders and those below them, but for what is passed over. Each path ends with a slash. A note is
 * 0, or the mark of what only stands in for nothing.
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

/** Whether nothing is noted of folders that came or went between two times. */
export function haveSameFolders(a: Modes, b: Modes): boolean {
  return missingIn(a, b).length + missingIn(b, a).length === 0
}

/** Folders in which nothing is saved, that go and that come with a restoration. Each path ends with a slash. */
export interface FolderChanges {
  /** The inner before the outer. */
  readonly gone: readonly string[]
  /** The outer before the inner. */
  readonly made: readonly string[]
}

interface FolderNotes {
  readonly from: Modes
  readonly to: Modes
  readonly now: Modes
}

/**
 * What is to be done so that the folders noted with one commit become those of another. One that is not empty stays, and so do the
 * one that somebody works in and those into which files come; none is made where something else stands.
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

/** The folders that are noted in the one and not in the other. */
function missingIn(notes: Modes, others: Modes): string[] {
  if (notes.has(everyFolder) || others.has(everyFolder)) return []
  return [...notes].flatMap(([path, mode]) =>
    path.endsWith('/') && mode === 0 && !others.has(path) ? [path] : [],
  )
}

/** Whether a folder is not there and could be, once some files have left. */
function hasRoom(root: string, path: string, leaving: ReadonlySet<string>): boolean {
  // A name in another encoding would become another one.
  if (path.includes('\uFFFD')) return false
  for (const folder of [...above(path).reverse(), path]) {
    const name = folder.slice(0, -1)
    const found = look(join(root, name))
    if (found === undefined) return true
    if (!found.isDirectory()) return leaving.has(name)
  }
  return false
}

/** The folders that a path lies in, the inner first, each with a slash at its end. */
function above(path: string): string[] {
  const folders: string[] = []
  for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.push(`${at}/`)
  return folders
}

/** What is in a folder; `undefined` where that cannot be told. */
function entriesOf(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}
