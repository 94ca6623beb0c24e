import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { PipeError } from '../error.ts'
import { crypto } from '../files/lazy-crypto.ts'
import { look } from '../files/look.ts'
import { fileError, systemCode } from '../files/system-error.ts'
import type { FolderChanges } from './folders.ts'
import { everyFolder, type Modes } from './modes.ts'
import type { TreeChange } from './tree-diff.ts'

interface Placement {
  /** The folder that is restored. */
  readonly root: string
  /** The folder that somebody works in, absolute. It stays. */
  readonly cwd: string
  /** A folder that holds what is to be put in place, under the same paths. */
  readonly staging: string
  readonly changes: readonly TreeChange[]
  /** Modes that files are to have. Others keep who may read and write them, or get what the umask leaves. Folders in it stay. */
  readonly modes: Modes
  readonly folders: FolderChanges
}

/**
 * Puts every path as it is to be, in one go that no signal interrupts. Whatever ends the process, each file is the old one or the
 * new one. Folders that files leave empty go. Throws what the first failure means; what is done stays done.
 */
export function placeFiles({ root, cwd, staging, changes, modes, folders: { gone, made } }: Placement): void {
  const leaving = changes.flatMap((change) => (change.new === undefined ? [change.path] : []))
  const folders = new Folders(root)
  for (const path of leaving) {
    attempt(path, () => {
      folders.require(dirname(path))
      rmSync(join(root, path), { force: true })
    })
  }
  // Before a link can take the place of one of them.
  for (const path of gone) attempt(path, () => void removeIfEmpty(join(root, path)))
  for (const { path, new: wanted } of changes) {
    if (wanted === undefined) continue
    attempt(path, () => {
      folders.require(dirname(path))
      place(join(staging, path), join(root, path), modes.get(path))
    })
  }
  for (const path of made) attempt(path, () => folders.require(path.slice(0, -1)))
  const stays = (folder: string) =>
    modes.has(everyFolder) || modes.has(`${folder}/`) || join(root, folder) === cwd
  for (const path of leaving) prune(root, dirname(path), stays)
}

function attempt(path: string, act: () => void): void {
  try {
    act()
  } catch (error) {
    const { code, message, details } = fileError(error, path, 'restore')
    const advice = 'mend that and do it again: it goes on where it stopped'
    throw new PipeError(code, `${message}; ${advice}`, { cause: error, details })
  }
}

function place(staged: string, target: string, noted: number | undefined): void {
  const now = look(target)
  const coming = lstatSync(staged)
  const mode = coming.isFile() ? (noted ?? modeLike(coming.mode, now)) : undefined
  if (mode !== undefined) chmodSync(staged, mode)
  if (now?.isDirectory() === true) removeEmpty(target)
  try {
    renameSync(staged, target)
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error
    moveAcross(staged, target, mode)
  }
}

/** Who may read and write a file stays as it is; who may read it may run it, where it may be run. */
function modeLike(mode: number, now: Stats | undefined): number {
  if (now?.isFile() !== true) return mode & 0o777
  const readers = now.mode & 0o666
  return (mode & 0o111) === 0 ? readers : readers | 0o100 | ((readers & 0o044) >> 2)
}

/** From another file system, by way of a draft beside the target: a link, or a file that is to have this mode. */
function moveAcross(staged: string, target: string, mode: number | undefined): void {
  const draft = join(dirname(target), `.${crypto().randomBytes(8).toString('hex')}.tmp`)
  try {
    if (mode === undefined) symlinkSync(readlinkSync(staged), draft)
    else {
      copyFileSync(staged, draft)
      // Once it is written: writing takes the bits away that let it run as its owner.
      chmodSync(draft, mode)
    }
    renameSync(draft, target)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Folders that are known to be some, so that nothing is written or removed through a link. */
class Folders {
  readonly #root: string
  readonly #known = new Set(['.'])

  constructor(root: string) {
    this.#root = root
  }

  /** Makes a folder where there is none. */
  require(path: string): void {
    if (this.#known.has(path)) return
    this.require(dirname(path))
    const folder = join(this.#root, path)
    const found = look(folder)
    if (found === undefined) mkdirSync(folder)
    else if (!found.isDirectory()) {
      throw new PipeError('conflict', `${path} was replaced meanwhile by what is no folder`)
    }
    this.#known.add(path)
  }
}

/** Removes a folder in which there are only folders. Throws where there is more. */
function removeEmpty(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name))
  }
  rmdirSync(folder)
}

/** Removes a folder in which nothing is, and those above it, up to one that stays. */
function prune(root: string, path: string, stays: (folder: string) => boolean): void {
  for (let folder = path; folder !== '.' && !stays(folder); folder = dirname(folder)) {
    if (!removeIfEmpty(join(root, folder))) return
  }
}

/** Whether it is gone. */
function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return systemCode(error) === 'ENOENT'
  }
}
