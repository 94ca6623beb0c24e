import { existsSync, readFileSync, type Stats, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { look } from '../files/look.ts'
import { parseJson } from '../json-value.ts'
import type { Shadow } from './shadow.ts'
import type { TreeChange } from './tree-diff.ts'

/**
 * File permissions by path. Git knows only the executable bit; this holds files narrower than the umask allows, setuid and setgid
 * files, and (with a trailing slash) folders without saved files, see `noteFolders`.
 */
export type Modes = ReadonlyMap<string, number>

/** The modes of files in the index. Costs nothing extra: a mode change makes git report the path anyway. */
export class ModeNotes {
  readonly #path: string
  readonly #modes: Map<string, number>
  #isChanged = false

  constructor({ path }: Shadow) {
    this.#path = join(path, 'modes')
    this.#modes = existsSync(this.#path) ? readNotes(readFileSync(this.#path, 'utf8')).modes : new Map()
  }

  get modes(): Modes {
    return this.#modes
  }

  /** Records what is at a path now. */
  note(path: string, stats: Stats | undefined): void {
    const mode = stats?.isFile() === true ? modeOf(stats) : undefined
    const isSpecial = mode !== undefined && (mode > 0o777 || (usual(mode) & ~mode) !== 0)
    if (this.#modes.get(path) === (isSpecial ? mode : undefined)) return
    this.#isChanged = true
    if (isSpecial) this.#modes.set(path, mode)
    else this.#modes.delete(path)
  }

  save(): void {
    if (this.#isChanged) writeFileSync(this.#path, writeModes(this.#modes), { mode: 0o600 })
    this.#isChanged = false
  }
}

/** A restored file belongs to us: drops setuid and setgid if the original belonged to another user or group. */
function modeOf({ mode, uid, gid }: Stats): number {
  const foreign = (uid === process.geteuid?.() ? 0 : 0o4000) | (gid === process.getegid?.() ? 0 : 0o2000)
  return mode & 0o7777 & ~foreign
}

/** The mode that the umask leaves a file with this executable bit. */
export function usual(mode: number): number {
  return ((mode & 0o100) === 0 ? 0o666 : 0o777) & ~process.umask()
}

/** Characters of notes that fit in a commit message, which git receives as an argument. */
const messageRoom = 100_000

/** Marks that there were too many folders to note: then none is removed and none restored. */
export const everyFolder = './'

/**
 * The body of a commit message: modes, changes left alone and what was not saved. Empty if there are none. If they do not fit, drops
 * the modes and marks the folders as too many.
 */
export function notesText({ modes, leftAlone, unsaved }: CommitNotes): string {
  if (modes.size + leftAlone.length + unsaved.length === 0) return ''
  const named = [
    ...leftAlone.slice(0, mostNoted).map((path) => [path]),
    ...unsaved.map(({ name, why }) => [name, why]),
  ]
  const text = JSON.stringify([...modes, ...named])
  return text.length > messageRoom ? JSON.stringify([[everyFolder, 0], ...named]) : text
}

/** How many changed but unsaved paths fit in a message. */
const mostNoted = 200

/** Notes kept with a commit, as written by `notesText`. */
export interface CommitNotes {
  readonly modes: Modes
  /** Paths that the turn changed but that were not saved. */
  readonly leftAlone: readonly string[]
  readonly unsaved: readonly Unsaved[]
}

/** A part of the project in which commands may have changed files that were not saved. */
export interface Unsaved {
  /** A folder with a trailing slash; empty for the whole project. */
  readonly name: string
  readonly why: string
}

/** Drops setuid and setgid bits if another user owns the repository: restored, such a file would run as us. */
export async function notesOf(shadow: Shadow, commit: string): Promise<CommitNotes> {
  const { modes, ...named } = readNotes(await shadow.git(['show', '-s', '--format=%b', commit]))
  const isOurs = look(shadow.path)?.uid === process.geteuid?.()
  return {
    modes: isOurs ? modes : new Map([...modes].map(([path, mode]) => [path, mode & ~0o6000])),
    ...named,
  }
}

/** The modes before, with those of changed files replaced by the wanted ones. Keeps the empty folders of both. */
export function withChanged(
  before: Modes,
  wanted: Modes,
  changes: readonly Pick<TreeChange, 'path'>[],
): Modes {
  const changed = new Set(changes.map(({ path }) => path))
  return new Map([
    ...[...before].filter(([path]) => !changed.has(path)),
    ...[...wanted].filter(([path]) => changed.has(path) || path.endsWith('/')),
  ])
}

function writeModes(modes: Modes): string {
  return JSON.stringify([...modes])
}

function readNotes(text: string): {
  readonly modes: Map<string, number>
  readonly leftAlone: readonly string[]
  readonly unsaved: readonly Unsaved[]
} {
  const modes = new Map<string, number>()
  const leftAlone: string[] = []
  const unsaved: Unsaved[] = []
  const list = parseJson(text)
  for (const entry of Array.isArray(list) ? list : []) {
    const [path, mode] = Array.isArray(entry) ? entry : []
    if (typeof path !== 'string') continue
    if (typeof mode === 'number') modes.set(path, mode)
    else if (typeof mode === 'string') unsaved.push({ name: path, why: mode })
    else if (mode === undefined) leftAlone.push(path)
  }
  return { modes, leftAlone, unsaved }
}
