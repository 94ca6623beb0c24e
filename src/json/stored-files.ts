import { lstat, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PipeError } from '../error.ts'
import { isLocked } from '../files/lock/lock.ts'
import { fileError } from '../files/system-error.ts'
import { isSessionId, type SessionId } from '../id.ts'
import { listNames } from './sessions/session-ids.ts'
import { lockSession, type SessionWriter } from './sessions/session-lock.ts'

/** The endings of what a session keeps in its folder, its own file first. */
const ending = /\.(?:json|lock|blobs|files|queue|torn-\d{8}T\d{6}\.\d{3}Z)$/
const own = '.json'
const lock = '.lock'

/** Names in the folder of the sessions, by the session they belong to. */
export type StoredFiles = ReadonlyMap<SessionId, readonly string[]>

/** Lists what every session keeps in the folder. None if the folder is missing. Throws `permission`, `internal`. */
export function listStoredFiles(directory: string): StoredFiles {
  const found = new Map<SessionId, string[]>()
  for (const name of listNames(directory).toSorted()) {
    const id = name.replace(ending, '')
    if (id !== name && isSessionId(id)) found.set(id, [...(found.get(id) ?? []), name])
  }
  return found
}

/** Returns the names that no session needs: all without a session, and copies of damaged bytes and stale locks beside one. */
export function leftoversOf(id: SessionId, names: readonly string[]): readonly string[] {
  const needed = names.includes(id + own) ? [own, '.blobs', '.files', '.queue'].map((kind) => id + kind) : []
  return names.filter((name) => !needed.includes(name))
}

/** Whether another process, or this one, writes the session. */
export function isInUse(
  id: SessionId,
  { directory, host, clock }: Pick<SessionWriter, 'directory' | 'host' | 'clock'>,
): boolean {
  return isLocked(join(directory, id + lock), { host, clock })
}

/** Returns the bytes of files and folders in the folder. Counts what has disappeared as nothing. */
export async function storedBytes(directory: string, names: readonly string[]): Promise<number> {
  const sizes = names.map(async (name) => {
    const path = join(directory, name)
    const found = await lstat(path).catch(() => undefined)
    if (found === undefined) return 0
    return found.isDirectory() ? storedBytes(path, listNames(path)) : found.size
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** The files of one session to delete. */
export interface Deletion {
  readonly id: SessionId
  readonly names: readonly string[]
  /** Bytes of the session's own file when it was chosen. Default: delete it however it has changed. */
  readonly size?: number | undefined
}

/**
 * Deletes files of a session while no process writes it, and its lock. The session's own file goes first, so that a killed process
 * leaves leftovers and no damaged session. Throws `conflict`, also if it has changed since it was chosen; `permission`, `internal`.
 */
export async function deleteStoredFiles(
  deletion: Deletion,
  writer: SessionWriter,
  signal: AbortSignal,
): Promise<void> {
  const { id, names } = deletion
  const held = await lockSession(id, writer, signal)
  try {
    await requireUnchanged(deletion, writer.directory)
    const isOwn = (name: string) => name === id + own
    const ordered = [...names.filter(isOwn), ...names.filter((name) => !isOwn(name) && name !== id + lock)]
    for (const name of ordered) await removeWhole(join(writer.directory, name))
  } finally {
    held.release()
  }
}

/** Throws `conflict` if a session was continued, or begun, since its files were chosen. */
async function requireUnchanged({ id, names, size }: Deletion, directory: string): Promise<void> {
  const found = await lstat(join(directory, id + own)).catch(() => undefined)
  const isBegun =
    found !== undefined &&
    !names.includes(id + own) &&
    leftoversOf(id, [id + own, ...names]).length < names.length
  if (!isBegun && (size === undefined || found?.size === size)) return
  throw new PipeError('conflict', `session ${id} was changed in the meantime`)
}

async function removeWhole(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch (error) {
    throw fileError(error, path, 'delete')
  }
}
