import { existsSync, readFileSync, type Stats, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { look } from '../files/look.ts'
import { parseJson } from '../json-value.ts'
import type { Shadow } from './shadow.ts'
import type { TreeChange } from './tree-diff.ts'

/**
 * Permissions of files, by path. Git knows only whether a file may be run; here are those of files that fewer may read, write or
 * run than the umask would let them, or that run as their owner or group; and, each with a slash at its end, the folders in which no
 * file was (`noteFolders`).
 */
export type Modes = ReadonlyMap<string, number>

/** What is known of the files in the index. Each path costs what is looked at anyway, since a changed mode is a change. */
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

  /** Takes in what stands at a path now. */
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

/** A file comes back as one of ours: it is to run as nobody else than it did. */
function modeOf({ mode, uid, gid }: Stats): number {
  const foreign = (uid === process.geteuid?.() ? 0 : 0o4000) | (gid === process.getegid?.() ? 0 : 0o2000)
  return mode & 0o7777 & ~foreign
}

/** What the umask leaves of a file that may be run like this one. */
export function usual(mode: number): number {
  return ((mode & 0o100) === 0 ? 0o666 : 0o777) & ~process.umask()
}

/** So many characters of them go into a commit's message, which is handed to git as an argument. */
const messageRoom = 100_000

/** Stands for folders that are too many to be noted: none may go, none comes back. */
export const everyFolder = './'

/**
 * Modes, and the files that a turn wrote and that are not saved, as the body of a commit's message; empty where there are none.
 * Those of which a message cannot hold all are lost.
 */
export function notesText({ modes, leftAlone }: CommitNotes): string {
  if (modes.size + leftAlone.length === 0) return ''
  const text = JSON.stringify([...modes, ...leftAlone.map((path) => [path])])
  return text.length > messageRoom ? writeModes(new Map([[everyFolder, 0]])) : text
}

/** What was noted with a commit, as `notesText` puts it. */
export interface CommitNotes {
  readonly modes: Modes
  /** Files that the turn wrote and that were not saved. */
  readonly leftAlone: readonly string[]
}

/** In a repository of somebody else no file is noted to run as its owner: that would be us. */
export async function notesOf(shadow: Shadow, commit: string): Promise<CommitNotes> {
  const { modes, leftAlone } = readNotes(await shadow.git(['show', '-s', '--format=%b', commit]))
  const isOurs = look(shadow.path)?.uid === process.geteuid?.()
  return {
    modes: isOurs ? modes : new Map([...modes].map(([path, mode]) => [path, mode & ~0o6000])),
    leftAlone,
  }
}

/** The modes of files of which some are changed to what others were noted with. Empty folders are those of both. */
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
} {
  const modes = new Map<string, number>()
  const leftAlone: string[] = []
  const list = parseJson(text)
  for (const entry of Array.isArray(list) ? list : []) {
    const [path, mode] = Array.isArray(entry) ? entry : []
    if (typeof path !== 'string') continue
    if (typeof mode === 'number') modes.set(path, mode)
    else if (mode === undefined) leftAlone.push(path)
  }
  return { modes, leftAlone }
}
