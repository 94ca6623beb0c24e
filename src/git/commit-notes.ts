import { look } from '../files/look.ts'
import { placeholderBit } from '../files/mount-placeholder.ts'
import { parseJson } from '../json-value.ts'
import type { Shadow } from './shadow.ts'
import type { BareFolders } from './tree/bare-folders.ts'
import type { FileModes } from './tree/file-modes.ts'

/** Facts about a turn's files that its tree cannot hold. They are kept in the message of its commit. */
export interface CommitNotes {
  readonly modes: FileModes
  readonly folders: BareFolders
  /** Paths that the turn changed but that were not saved. */
  readonly ignoredFiles: readonly string[]
  readonly unsaved: readonly UnsavedPart[]
}

/** A part of the project in which commands may have changed files that were not saved. */
export interface UnsavedPart {
  /** A folder with a trailing slash; empty for the whole project. */
  readonly name: string
  readonly why: string
}

/**
 * An entry of the message, a JSON list: `[file, mode]`, `[folder/, 0]`, for a placeholder `[folder/, placeholderBit]`, for too many folders
 * `['./', 0]`, `[path]` for a path that was left alone, and `[name, why]` for what was not saved.
 */
type Note = readonly [string, (number | string)?]

const tooManyFolders: Note = ['./', 0]

/** Characters of notes that fit in a commit message, which git receives as an argument. */
const messageRoom = 100_000

/** How many changed but unsaved paths fit in a message. */
const mostNoted = 200

/** Writes the body of a commit message; empty if there is nothing to note. If it does not fit, it has no modes and too many folders. */
export function notesText({ modes, folders, ignoredFiles, unsaved }: CommitNotes): string {
  const named: readonly Note[] = [
    ...ignoredFiles.slice(0, mostNoted).map((path): Note => [path]),
    ...unsaved.map(({ name, why }): Note => [name, why]),
  ]
  const all = [...modes, ...folderNotes(folders), ...named]
  if (all.length === 0) return ''
  const text = JSON.stringify(all)
  return text.length > messageRoom ? JSON.stringify([tooManyFolders, ...named]) : text
}

/** Reads the notes of a commit. Drops setuid and setgid bits if another user owns the repository: such a file would run as us. */
export async function notesOf(shadow: Shadow, commit: string): Promise<CommitNotes> {
  const notes = readNotes(await shadow.git(['show', '-s', '--format=%b', commit]))
  const isOurs = look(shadow.path)?.uid === process.geteuid?.()
  const modes = isOurs ? notes.modes : new Map([...notes.modes].map(([path, mode]) => [path, mode & ~0o6000]))
  return { ...notes, modes }
}

interface ModeStep {
  readonly from: CommitNotes
  readonly to: CommitNotes
  readonly now: FileModes
}

/** The paths whose modes differ between two commits. Leaves out those that do not have the first mode now. */
export function changedModes({ from, to, now }: ModeStep): readonly string[] {
  // Notes that did not fit have no modes.
  if (from.folders === 'too_many' || to.folders === 'too_many') return []
  const noted = [...new Set([...from.modes.keys(), ...to.modes.keys()])]
  return noted.filter((path) => {
    const mode = from.modes.get(path)
    return mode !== to.modes.get(path) && mode === now.get(path)
  })
}

function folderNotes(folders: BareFolders): readonly Note[] {
  if (folders === 'too_many') return [tooManyFolders]
  return [...folders].map(([path, kind]) => [path, kind === 'plain' ? 0 : placeholderBit])
}

function readNotes(text: string): CommitNotes {
  const modes = new Map<string, number>()
  const folders = new Map<string, 'plain' | 'placeholder'>()
  const ignoredFiles: string[] = []
  const unsaved: UnsavedPart[] = []
  let areTooMany = false
  for (const [path, fact] of parseNotes(text)) {
    if (fact === undefined) ignoredFiles.push(path)
    else if (typeof fact === 'string') unsaved.push({ name: path, why: fact })
    else if (path === './') areTooMany = true
    else if (path.endsWith('/')) folders.set(path, fact === 0 ? 'plain' : 'placeholder')
    else modes.set(path, fact)
  }
  return { modes, folders: areTooMany ? 'too_many' : folders, ignoredFiles, unsaved }
}

/** The notes in a text. Leaves out what is none. */
function parseNotes(text: string): readonly Note[] {
  const list = parseJson(text)
  if (!Array.isArray(list)) return []
  return list.flatMap((entry): Note[] => {
    const [path, fact] = Array.isArray(entry) ? entry : []
    if (typeof path !== 'string') return []
    if (fact === undefined) return [[path]]
    return typeof fact === 'number' || typeof fact === 'string' ? [[path, fact]] : []
  })
}
