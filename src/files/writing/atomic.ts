import type { Stats } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { PipeError } from '../../error.ts'
import { setModeOf } from '../mode.ts'
import { syncFolder } from '../open-file.ts'
import { type OpenFolder, openOrMakeFolder } from '../open-folder.ts'
import { statIfThere } from '../reading/read-if-there.ts'
import { realPath } from '../real-path.ts'
import { fileError, systemCode } from '../system-error.ts'
import { type OpenDraft, openDraft } from './draft-files.ts'
import { exchanged, isOpenedAt } from './exchanged.ts'
import { writeInPlace } from './in-place.ts'

interface WriteOptions {
  /** Sets this mode. Default: the mode of the old file, or for a new file what the umask leaves of 0666. */
  readonly mode?: number
  /** Whether to follow symlinks (default). If `false`, refuses a path that is not a real one. */
  readonly followLinks?: boolean
  /** Writes an existing file in place, which keeps attributes that a replacement would lose. */
  readonly inPlace?: boolean
}

/**
 * Writes a whole file or nothing, even in a crash. Creates missing folders; keeps owner and mode. Writes in place if it must. Throws
 * `invalid` if the path is not a regular file, `permission` (also for a read-only file), and `internal` with the system's reason.
 */
export async function writeAtomically(
  path: string,
  bytes: Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  let real: string | undefined
  try {
    real = await realPath(path)
    if (options.followLinks === false && real !== path) throw exchanged(path, 'write')
    const folder = openOrMakeFolder(dirname(real))
    try {
      await replace({ folder, name: basename(real) }, bytes, options)
    } finally {
      folder.close()
    }
  } catch (error) {
    // A link has replaced a file or folder on the path.
    if (real !== undefined && systemCode(error) === 'ELOOP') throw exchanged(path, 'write')
    throw fileError(error, path, 'write')
  }
}

async function replace(
  { folder, name }: { readonly folder: OpenFolder; readonly name: string },
  bytes: Uint8Array,
  { mode: wanted, inPlace = false }: WriteOptions,
): Promise<void> {
  const old = await statIfThere(folder.at(name))
  if (old !== undefined) requireWritable(join(folder.path, name), old)
  const mode = wanted ?? (old === undefined ? undefined : old.mode & 0o7777)
  const stays = old !== undefined && (inPlace || old.nlink > 1)
  const isReplaced = !stays && (await replaceByDraft({ folder, name, bytes, mode, old }))
  if (!isReplaced) await writeInPlace(folder, name, bytes, wanted)
}

function requireWritable(path: string, old: Stats): void {
  if (old.isSymbolicLink()) throw exchanged(path, 'write')
  if (!old.isFile()) {
    throw new PipeError('invalid', `cannot write ${path}: it is not a regular file`, { details: { path } })
  }
  if ((old.mode & 0o222) === 0) {
    const mode = (old.mode & 0o777).toString(8)
    throw new PipeError('permission', `cannot write ${path}: it is read-only (mode ${mode})`, {
      details: { path, reason: 'read_only' },
    })
  }
}

interface Draft {
  /** The target folder and name. */
  readonly folder: OpenFolder
  readonly name: string
  readonly bytes: Uint8Array
  readonly mode: number | undefined
  readonly old: Stats | undefined
}

/** Codes with which a system refuses a new file in this folder, or giving it the owner of the old one. */
const refusals: readonly string[] = ['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EINVAL']

/** Returns false, with nothing changed, if the system refuses to replace an old file. */
async function replaceByDraft(draft: Draft): Promise<boolean> {
  try {
    await writeDraft(draft)
  } catch (error) {
    if (draft.old !== undefined && refusals.includes(systemCode(error) ?? '')) return false
    throw error
  }
  await syncFolder(draft.folder.at('.'))
  return true
}

/** Maximum tries when another process removes the drafts folder after its own use. */
const mostTries = 20

async function writeDraft(draft: Draft): Promise<void> {
  for (let tries = 1; ; tries++) {
    const temp = openDraft(draft.folder)
    try {
      const file = await openNew(temp, draft.mode, tries < mostTries)
      if (file === undefined) continue
      await fillAndMove(file, temp, draft)
      return
    } finally {
      temp.close()
    }
  }
}

/** Returns `undefined` if the drafts folder is gone and `mayVanish` is set. Keeps a draft private until its mode is set. */
async function openNew(
  { folder, name }: OpenDraft,
  mode: number | undefined,
  mayVanish: boolean,
): Promise<FileHandle | undefined> {
  try {
    return await open(folder.at(name), 'wx', mode === undefined ? 0o666 : 0o600)
  } catch (error) {
    if (mayVanish && systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

async function fillAndMove(file: FileHandle, temp: OpenDraft, { folder, name, bytes, mode, old }: Draft) {
  const draft = temp.folder.at(temp.name)
  let isPlaced = false
  try {
    try {
      // Without a handle on the folder its path may have been swapped before the draft was opened. A later swap makes the rename
      // fail.
      if (!isOpenedAt(file.fd, join(temp.folder.path, temp.name))) throw exchanged(folder.path, 'write')
      if (old !== undefined) await giveOwner(file, old)
      await file.writeFile(bytes)
      if (mode !== undefined) await setModeOf(file, mode)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, folder.at(name))
    isPlaced = true
  } finally {
    if (!isPlaced) await rm(draft, { force: true })
  }
}

async function giveOwner(file: FileHandle, { uid, gid }: Stats): Promise<void> {
  const now = await file.stat()
  if (now.uid !== uid || now.gid !== gid) await file.chown(uid, gid)
}
