import { join } from 'node:path'
import { look } from '../../files/look.ts'
import { pathFrom } from '../../machine/path.ts'
import type { UnsavedPart } from '../commit-notes.ts'
import type { SaveLimits } from '../save-limits.ts'
import type { Shadow } from '../shadow.ts'
import { type BareFolders, haveSameFolders } from '../tree/bare-folders.ts'
import { type FileModes, haveSameModes } from '../tree/file-modes.ts'
import { type FileSnapshot, takeSnapshot } from '../tree/snapshot.ts'
import { keep, type TurnEntry, writtenRef } from './stack.ts'
import type { TurnWrites } from './turn-writes.ts'

type Place = Pick<TurnEntry, 'ref' | 'session' | 'number'>
type TurnLabel = Pick<TurnEntry, 'label' | 'at' | 'message'>

/** The state saved before the running turn. */
export interface OpenTurn extends Place {
  readonly commit: string
  readonly tree: string
  readonly holds: FileSnapshot['holds']
  readonly modes: FileModes
  readonly folders: BareFolders
  readonly untouched: readonly string[]
  /** Files that are too large or unreadable. */
  readonly leftOut: readonly string[]
  /** The kind of each of them, to tell whether the turn changes it. */
  readonly marks: ReadonlyMap<string, string>
  /** Nested repositories without files. */
  readonly empty: readonly string[]
  /** The parts in which commands may change files that are not saved. */
  readonly unsaved: readonly UnsavedPart[]
  readonly isTreeless: boolean
}

/** Saves the files before a turn, those of nested repositories included except these. */
export function snapshotBefore(
  shadow: Shadow,
  limits: SaveLimits,
  tooLarge: ReadonlySet<string>,
): Promise<FileSnapshot> {
  return takeSnapshot(shadow, { limits, enters: (path) => !tooLarge.has(path) })
}

interface Opening {
  readonly snapshot: FileSnapshot
  readonly limits: SaveLimits
  readonly turn: TurnLabel
}

/** Begins a turn with the files as they were saved. */
export async function openTurn(
  shadow: Shadow,
  place: Place,
  { snapshot, limits, turn }: Opening,
): Promise<OpenTurn> {
  const { tree, holds, modes, folders, leftOut, untouched, repositories } = snapshot
  shadow.writeUntouched(untouched)
  const why = `more than ${limits.files} files together with the rest`
  const unsaved = [...repositories.tooLarge, ...repositories.passed].map((name) => ({ name, why }))
  const commit = await keep(shadow, { tree, modes, folders, unsaved, turn, ref: place.ref })
  const marks = new Map(leftOut.map((path) => [path, markOf(shadow, path)]))
  const { empty } = repositories
  const files = { tree, holds, modes, folders, untouched, leftOut, marks, empty }
  return { ...place, ...files, commit, unsaved, isTreeless: false }
}

/** Begins a turn of which only what `write` and `edit` change is kept. */
export async function openTreeless(
  shadow: Shadow,
  place: Place,
  { turn, why }: { readonly turn: TurnLabel; readonly why: string },
): Promise<OpenTurn> {
  const tree = (await shadow.git(['hash-object', '-t', 'tree', '-w', '/dev/null'])).trim()
  const files = { tree, modes: new Map(), folders: new Map(), unsaved: [{ name: '', why }] }
  const commit = await keep(shadow, { ...files, isTreeless: true, turn, ref: place.ref })
  return {
    ...place,
    ...files,
    holds: () => false,
    commit,
    untouched: [],
    leftOut: [],
    marks: new Map(),
    empty: [],
    isTreeless: true,
  }
}

interface Closing {
  readonly limits: SaveLimits
  readonly turn: TurnLabel
  readonly writes: TurnWrites
  /** Whether the turn ran anything that may have changed more than `writes`. */
  readonly ranCommands: boolean
}

/** A turn that is over. */
interface ClosedTurn {
  /** Absent if nothing changed: then the turn is forgotten. */
  readonly id?: string
  /** Paths that it changed but that are not saved. */
  readonly ignoredFiles: readonly string[]
}

/** Saves the files after a turn. */
export async function closeTurn(
  shadow: Shadow,
  opened: OpenTurn,
  { limits, turn, writes, ranCommands }: Closing,
): Promise<ClosedTurn> {
  const { tree, holds, modes, folders, ignoredFiles } = opened.isTreeless
    ? { ...opened, ignoredFiles: [] }
    : await snapshotAfter(shadow, opened, limits)
  const { isChanged, lost } = await writes.close(shadow, holds)
  const left = [...new Set([...ignoredFiles, ...lost.map((path) => pathFrom(shadow.root, path))])].sort()
  const unsaved = ranCommands ? opened.unsaved : []
  const isSame =
    tree === opened.tree &&
    haveSameFolders(opened.folders, folders) &&
    haveSameModes(opened.modes, modes) &&
    !isChanged
  const { ref, isTreeless } = opened
  if (isSame && left.length === 0 && unsaved.length === 0) {
    for (const gone of [ref, writtenRef(opened)]) await shadow.git(['update-ref', '-d', gone])
    return { ignoredFiles: [] }
  }
  const noted = { ignoredFiles: left, unsaved, isTreeless }
  const id = await keep(shadow, { tree, modes, folders, ...noted, parent: opened.commit, turn, ref })
  return { id, ignoredFiles: left }
}

async function snapshotAfter(shadow: Shadow, opened: OpenTurn, limits: SaveLimits) {
  const { untouched, marks, empty } = opened
  const wasEmpty = new Set(empty)
  const enters = (path: string) => wasEmpty.has(path)
  const now = await takeSnapshot(shadow, { limits, untouched, empty, enters })
  const grown = now.leftOut.filter((path) => !marks.has(path))
  const moved = [...marks].flatMap(([path, mark]) => (markOf(shadow, path) === mark ? [] : [path]))
  const { passed, tooLarge } = now.repositories
  return { ...now, ignoredFiles: [...grown, ...moved, ...passed, ...tooLarge] }
}

/** Changes whenever a file is written or replaced. */
function markOf({ root }: Shadow, path: string): string {
  const found = look(join(root, path))
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`
}
