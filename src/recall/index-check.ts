import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { isPipeError } from '../error.ts'
import { makePrivateFolder } from '../files/private-folder.ts'
import { readIfThere } from '../files/reading/read-if-there.ts'
import { writeAtomically } from '../files/writing/atomic.ts'
import { isSessionId, type SessionId } from '../id.ts'
import { isJsonObject, parseJson } from '../json-value.ts'
import type { SessionListing } from '../session.ts'
import type { Catalog } from './segment-catalog.ts'
import type { RecallParts } from './spoken-parts.ts'

// The last time at which the index and the session files agreed, with the catalog as of then. Comparing them again takes as long as
// the rest of a search. Every writer of a session puts a lock into the folder, so while the folder's time is the same, only sessions
// that had a lock then can have changed.

/** Milliseconds after a change in which the folder's time may not show another. */
const blurMs = 2_000

export interface IndexCheck {
  /** Names the state of the index. */
  readonly state: string
  readonly listing: SessionListing
  readonly catalog: Catalog
}

/** Notes that the index and the session files agree, unless the files have only just changed. A failure costs only time. */
export async function writeCheck(folder: string, check: IndexCheck, now: number): Promise<void> {
  const { state, listing, catalog } = check
  if (now - listing.modified < blurMs) return
  const { ids, lengths, times, folderOf, folders, owners } = catalog
  const lists = [times, lengths, folderOf, ...owners]
  const data = Buffer.concat(
    lists.map((list) => new Uint8Array(list.buffer, list.byteOffset, list.byteLength)),
  )
  const locked = new Set(listing.open)
  const open = listing.files
    .filter(({ id }) => locked.has(id))
    .map(({ id, size, modified }) => [id, size, modified])
  const header = {
    state,
    modified: listing.modified,
    open,
    folders,
    ids: ids.join(' '),
    sizes: lists.map(({ length }) => length),
    checksum: crc32(data),
  }
  try {
    makePrivateFolder(folder)
    const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), data])
    await writeAtomically(pathIn(folder), bytes, { mode: 0o600 })
  } catch (error) {
    if (!isPipeError(error)) throw error
  }
}

/** Removes what was noted: it is of another index, and names sessions that may be gone. */
export function removeCheck(folder: string): void {
  rmSync(pathIn(folder), { force: true })
}

/** Returns the catalog if index and session files still agree. */
export function readCheck(folder: string, state: string, parts: RecallParts): Catalog | undefined {
  const bytes = readIfThere(pathIn(folder)) ?? Buffer.alloc(0)
  const end = bytes.indexOf('\n')
  const header = parseJson(bytes.toString('utf8', 0, Math.max(0, end)))
  if (!isJsonObject(header) || header['state'] !== state) return undefined
  const { modified, open, folders, ids, sizes, checksum } = header
  if (modified !== parts.modified() || !Array.isArray(open) || !open.every((one) => isUnchanged(one, parts)))
    return undefined
  const data = bytes.subarray(end + 1)
  if (crc32(data) !== checksum || typeof ids !== 'string' || !Array.isArray(folders)) return undefined
  return Array.isArray(sizes)
    ? decode(data, sizes.map(Number), { ids, folders: folders.map(String) })
    : undefined
}

function isUnchanged(one: unknown, { file }: RecallParts): boolean {
  const [id, size, modified]: readonly unknown[] = Array.isArray(one) ? one : []
  const found = typeof id === 'string' && isSessionId(id) ? file(id) : undefined
  return found !== undefined && found.size === size && found.modified === modified
}

function decode(
  data: Buffer,
  sizes: readonly number[],
  names: { ids: string; folders: readonly string[] },
): Catalog {
  let start = 0
  const bytes = (length: number) => {
    const copy = new Uint8Array(length)
    copy.set(data.subarray(start, start + length))
    start += length
    return copy.buffer
  }
  const [count = 0, , , ...owners] = sizes
  const integers = (length: number) => new Int32Array(bytes(length * Int32Array.BYTES_PER_ELEMENT))
  return {
    times: new Float64Array(bytes(count * Float64Array.BYTES_PER_ELEMENT)),
    lengths: integers(count),
    folderOf: integers(count),
    owners: owners.map(integers),
    folders: names.folders,
    ids: names.ids.split(' ').filter((id): id is SessionId => id !== ''),
  }
}

function pathIn(folder: string): string {
  return join(folder, 'check')
}
