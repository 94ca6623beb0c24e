import type { Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readlink, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { PipeError } from '../error.ts'
import { crypto } from './lazy-crypto.ts'
import { fileError, systemCode } from './system-error.ts'

/**
 * Writes a whole file or nothing: readers see the old content or the new, also after a crash. Makes missing folders, follows a
 * symlink to its target, keeps owner and mode. `mode` replaces the old mode; a new file without one gets what the umask leaves
 * of 0666. Throws `invalid` where the path is no regular file, `permission`, `internal` with the system's reason.
 */
export async function writeAtomically(
  path: string,
  bytes: Uint8Array,
  options: { readonly mode?: number } = {},
): Promise<void> {
  try {
    await replace(await followLinks(path), bytes, options.mode)
  } catch (error) {
    throw fileError(error, path, 'write')
  }
}

async function replace(path: string, bytes: Uint8Array, wanted: number | undefined): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true })
  const old = await statIfThere(path)
  if (old?.isFile() === false) {
    throw new PipeError('invalid', `cannot write ${path}: it is not a regular file`, { details: { path } })
  }
  const mode = wanted ?? (old === undefined ? undefined : old.mode & 0o7777)
  const draft = join(
    folder,
    `.${basename(path).slice(0, 200)}.${crypto().randomBytes(6).toString('hex')}.tmp`,
  )
  try {
    // Nobody else may read the draft before it has the mode of the file it replaces.
    const file = await open(draft, 'wx', mode === undefined ? 0o666 : 0o600)
    try {
      await file.writeFile(bytes)
      if (mode !== undefined) await file.chmod((await keepOwner(file, old)) ? mode : mode & 0o777)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(folder)
}

/** The path that is written in the end: the target of a symlink, also of one that points to nothing yet. */
async function followLinks(path: string, hops = 40): Promise<string> {
  const target = await readLinkIfThere(path)
  if (target === undefined) return path
  if (hops === 0) {
    throw new PipeError('invalid', `cannot write ${path}: its symbolic links go round in a circle`, {
      details: { path },
    })
  }
  return followLinks(resolve(await realpath(dirname(path)), target), hops - 1)
}

async function readLinkIfThere(path: string): Promise<string | undefined> {
  try {
    return await readlink(path)
  } catch (error) {
    if (['EINVAL', 'ENOENT'].includes(systemCode(error) ?? '')) return undefined
    throw error
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

/** Whether the draft belongs to the old file's owner and group: only then may it carry set-id bits. */
async function keepOwner(draft: FileHandle, old: Stats | undefined): Promise<boolean> {
  if (old === undefined) return true
  const now = await draft.stat()
  if (now.uid === old.uid && now.gid === old.gid) return true
  try {
    await draft.chown(old.uid, old.gid)
    return true
  } catch (error) {
    if (systemCode(error) === 'EPERM') return false
    throw error
  }
}

/** Makes the names in a folder survive a power cut, where the folder may be opened at all. */
export async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle
  try {
    handle = await open(folder, 'r')
  } catch (error) {
    if (systemCode(error) === 'EACCES') return
    throw error
  }
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
