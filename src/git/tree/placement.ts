import {
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
import { PipeError } from '../../error.ts'
import { crypto } from '../../files/lazy-crypto.ts'
import { look } from '../../files/look.ts'
import { setMode } from '../../files/mode.ts'
import { fileError, systemCode } from '../../files/system-error.ts'
import type { BareFolderChanges, BareFolders } from './bare-folders.ts'
import type { FileModes } from './file-modes.ts'
import type { TreeChange } from './tree-diff.ts'

interface Placement {
  /** The folder to restore. */
  readonly root: string
  /** The working folder, absolute. Never removed. */
  readonly cwd: string
  /** A folder that holds the new files under the same paths. */
  readonly staging: string
  readonly changes: readonly TreeChange[]
  /** Modes to set. Other files keep who may read and write them, or get what the umask leaves. */
  readonly modes: FileModes
  /** Folders that stay even if their last file leaves. */
  readonly keeps: BareFolders
  readonly folders: BareFolderChanges
}

/**
 * Puts every path in its new state, synchronously, so that no signal interrupts it. If the process is killed, each file is either
 * old or new. Removes folders left empty by removed files. Throws on the first failure; what was done by then stays.
 */
export function placeFiles({ root, cwd, staging, changes, modes, keeps, folders }: Placement): void {
  const leaving = changes.flatMap((change) => (change.new === undefined ? [change.path] : []))
  const parents = new Folders(root)
  const attempt = (path: string, act: () => void) => placing(root === '/' ? `/${path}` : path, act)
  for (const path of leaving) {
    attempt(path, () => {
      parents.require(dirname(path))
      rmSync(join(root, path), { force: true })
    })
  }
  // Before a link takes the place of one of them.
  for (const path of folders.gone) attempt(path, () => void removeIfEmpty(join(root, path)))
  for (const { path, new: wanted } of changes) {
    if (wanted === undefined) continue
    attempt(path, () => {
      parents.require(dirname(path))
      place(join(staging, path), join(root, path), modes.get(path))
    })
  }
  for (const path of folders.made) attempt(path, () => parents.require(path.slice(0, -1)))
  const stays = (folder: string) =>
    keeps === 'too_many' || keeps.has(`${folder}/`) || join(root, folder) === cwd
  for (const path of leaving) prune(root, dirname(path), stays)
}

function placing(path: string, act: () => void): void {
  try {
    act()
  } catch (error) {
    const { code, message, details } = fileError(error, path, 'restore')
    const advice = 'fix that and try again: it continues where it stopped'
    throw new PipeError(code, `${message}; ${advice}`, { cause: error, details })
  }
}

function place(staged: string, target: string, noted: number | undefined): void {
  const now = look(target)
  const coming = lstatSync(staged)
  const mode = coming.isFile() ? (noted ?? modeLike(coming.mode, now)) : undefined
  if (mode !== undefined) setMode(staged, mode)
  if (now?.isDirectory() === true) removeEmpty(target)
  try {
    renameSync(staged, target)
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error
    moveAcross(staged, target, mode)
  }
}

/** The mode that lets the same users read and write the file as now. If it is executable, those who may read it may run it. */
function modeLike(mode: number, now: Stats | undefined): number {
  if (now?.isFile() !== true) return mode & 0o777
  const readers = now.mode & 0o666
  return (mode & 0o111) === 0 ? readers : readers | 0o100 | ((readers & 0o044) >> 2)
}

/** Moves a link, or a file with this mode, from another file system, through a draft beside the target. */
function moveAcross(staged: string, target: string, mode: number | undefined): void {
  const draft = join(dirname(target), `.${crypto().randomBytes(8).toString('hex')}.tmp`)
  try {
    if (mode === undefined) symlinkSync(readlinkSync(staged), draft)
    else {
      copyFileSync(staged, draft)
      // After the copy: writing clears setuid and setgid.
      setMode(draft, mode)
    }
    renameSync(draft, target)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Verifies that parents are real folders, so that nothing is written or removed through a link. */
class Folders {
  readonly #root: string
  readonly #known = new Set(['.'])

  constructor(root: string) {
    this.#root = root
  }

  /** Creates the folder if it is missing. Throws `conflict` if something else is in its place. */
  require(path: string): void {
    if (this.#known.has(path)) return
    this.require(dirname(path))
    const folder = join(this.#root, path)
    const found = look(folder)
    if (found === undefined) mkdirSync(folder)
    else if (!found.isDirectory()) {
      throw new PipeError('conflict', `${path} has been replaced by something that is not a folder`)
    }
    this.#known.add(path)
  }
}

/** Removes a folder that holds only folders. Throws if it holds anything else. */
function removeEmpty(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name))
  }
  rmdirSync(folder)
}

/** Removes an empty folder and the empty ones above it, up to one that stays. */
function prune(root: string, path: string, stays: (folder: string) => boolean): void {
  for (let folder = path; folder !== '.' && !stays(folder); folder = dirname(folder)) {
    if (!removeIfEmpty(join(root, folder))) return
  }
}

/** Removes a folder if it is empty. Returns whether it is gone. */
function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return systemCode(error) === 'ENOENT'
  }
}
