import type { Stats } from 'node:fs'
import { type FileHandle, lstat, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PipeError } from '../error.ts'
import { exchanged } from './exchanged.ts'
import { writeInPlace } from './in-place.ts'
import { crypto } from './lazy-crypto.ts'
import { syncFolder } from './open-file.ts'
import { makeFolders } from './private-folder.ts'
import { realPath } from './real-path.ts'
import { fileError, systemCode } from './system-error.ts'

interface WriteOptions {
  /** Replaces the mode of the old file; a new file without one gets what the umask leaves of 0666. */
  readonly mode?: number
  /** Whether symlinks in the path are followed (the default), or it must be real: then one that leads elsewhere is refused. */
  readonly followLinks?: boolean
}

/**
 * Writes a whole file or nothing: readers see the old content or the new, also after a crash. Makes missing folders, follows a
 * symlink to its target, keeps owner and mode; access lists set on this one file and extended attributes are not kept, what the
 * folder hands down is. A file that has other names (hard links), an owner that it could not be given again, or a place that no
 * other may take (a mount point, a folder that takes no new files) is written in place: see `writeInPlace` for what that costs.
 * Throws `invalid` where the path is no regular file, `permission` (a file that nobody may write included), `internal` with the
 * system's reason.
 */
export async function writeAtomically(
  path: string,
  bytes: Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  try {
    const real = await realPath(path)
    if (options.followLinks === false && real !== path) throw exchanged(path)
    await replace(real, bytes, options.mode)
  } catch (error) {
    throw fileError(error, path, 'write')
  }
}

async function replace(path: string, bytes: Uint8Array, wanted: number | undefined): Promise<void> {
  makeFolders(dirname(path))
  const old = await statIfThere(path)
  if (old !== undefined) requireWritable(path, old)
  const mode = wanted ?? (old === undefined ? undefined : old.mode & 0o7777)
  const isReplaced = (old?.nlink ?? 1) === 1 && (await replaceByDraft({ path, bytes, mode, old }))
  if (!isReplaced) await writeInPlace(path, bytes, wanted)
}

function requireWritable(path: string, old: Stats): void {
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
  /** Where it will stand. Real. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly mode: number | undefined
  readonly old: Stats | undefined
}

/** With these a system refuses a new file in this place, or the owner of the old one. */
const refusals: readonly string[] = ['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EINVAL']

/** False, and nothing is changed, where there is an old file that the system does not let be replaced. */
async function replaceByDraft(draft: Draft): Promise<boolean> {
  try {
    await placeDraft(draft)
  } catch (error) {
    if (draft.old !== undefined && refusals.includes(systemCode(error) ?? '')) return false
    throw error
  }
  await syncFolder(dirname(draft.path))
  return true
}

async function placeDraft({ path, bytes, mode, old }: Draft): Promise<void> {
  const folder = dirname(path)
  const draft = join(folder, `.${crypto().randomBytes(8).toString('hex')}.tmp`)
  let isPlaced = false
  try {
    // Nobody else may read the draft before it has the mode of the file it replaces.
    const file = await open(draft, 'wx', mode === undefined ? 0o666 : 0o600)
    try {
      // A folder may have been exchanged for a link. From here on it may not: the draft could not be renamed.
      if (dirname(await realpath(draft)) !== folder) throw exchanged(path)
      if (old !== undefined) await giveOwner(file, old)
      await file.writeFile(bytes)
      if (mode !== undefined) await file.chmod(mode)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
    isPlaced = true
  } finally {
    if (!isPlaced) await rm(draft, { force: true })
  }
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

async function giveOwner(file: FileHandle, { uid, gid }: Stats): Promise<void> {
  const now = await file.stat()
  if (now.uid !== uid || now.gid !== gid) await file.chown(uid, gid)
}
