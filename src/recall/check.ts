import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemCode } from '../files/system-error.ts'
import { isSessionId, type SessionId } from '../id.ts'
import { isJsonObject, type JsonObject, parseJson } from '../json-value.ts'
import type { SessionListing } from '../session.ts'
import type { Catalog } from './catalog.ts'
import type { Snapshot } from './folder.ts'

// The last comparison of the index with all session files, which takes as long as everything else in a search of thousands. Every
// writer of a session adds a lock to the folder, so while its time is the same only sessions that had a lock can have changed.

/** Milliseconds after a change in which the folder's time may not show another. */
const blurMs = 2_000

/** Notes that the index and the session files agree. */
export function writeCheck(folder: string, listing: SessionListing, catalog: Catalog, now: number): void {
  if (now - listing.modified < blurMs) return
  const check = { modified: listing.modified, open: listing.open, ...sizeOf(catalog) }
  try {
    writeFileSync(pathIn(folder), JSON.stringify(check), { mode: 0o600 })
  } catch (error) {
    // Without it, the next search only takes longer.
    if (systemCode(error) === undefined) throw error
  }
}

/** Reads the last note; empty if there is none. */
export function readCheck(folder: string): JsonObject {
  try {
    const check = parseJson(readFileSync(pathIn(folder), 'utf8'))
    return isJsonObject(check) ? check : {}
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return {}
  }
}

/** Returns the sessions that may have changed since a note; `undefined` if any may have. */
export function unchangedSince(
  check: JsonObject,
  { isDamaged }: Snapshot,
  catalog: Catalog,
  modified: number,
): readonly SessionId[] | undefined {
  const { sessions, messages } = sizeOf(catalog)
  const { open } = check
  const isSame =
    check['modified'] === modified && check['sessions'] === sessions && check['messages'] === messages
  if (isDamaged || !isSame || !Array.isArray(open)) return undefined
  return open.filter((id) => typeof id === 'string').filter(isSessionId)
}

/** Shows whether the index has lost anything: its sessions and their messages. */
function sizeOf({ sessions }: Catalog) {
  let messages = 0
  for (const { last } of sessions.values()) messages += last.through
  return { sessions: sessions.size, messages }
}

function pathIn(folder: string): string {
  return join(folder, 'check.json')
}
