import { statSync } from 'node:fs'
import { onFile, systemCode } from '../../files/system-error.ts'
import type { SessionId } from '../../id.ts'
import type { SessionFile, SessionListing } from '../../session.ts'
import { listNames, sessionIdsAmong } from './session-ids.ts'

const ending = '.json'

/** Lists the session files of a folder, in no order; none if the folder is missing. Throws `permission`, `internal`. */
export function sessionFiles(directory: string): readonly SessionFile[] {
  return filesOf(directory, listNames(directory))
}

/** Lists the session files of a folder, and the sessions that may be written now. Throws like `sessionFiles`. */
export function sessionListing(directory: string): SessionListing {
  const modified = folderModified(directory)
  const names = listNames(directory)
  return { modified, files: filesOf(directory, names), open: sessionIdsAmong(names, '.lock') }
}

/** Returns the time of the last name added to a folder of sessions, or removed; 0 if the folder is missing. Throws like `sessionFiles`. */
export function folderModified(directory: string): number {
  return onFile(directory, 'list', () => statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? 0)
}

function filesOf(directory: string, names: readonly string[]): readonly SessionFile[] {
  return sessionIdsAmong(names, ending)
    .map((id) => statSession(directory, id))
    .filter((file) => file !== undefined)
}

/** Returns the file of a session; `undefined` if there is no file, or it cannot be looked at. */
export function statSession(directory: string, id: SessionId): SessionFile | undefined {
  // Not by `join`, which takes as long as the call to the system.
  const path = `${directory}/${id}${ending}`
  try {
    // Takes a fifth of the time of a promise, which counts with thousands of files.
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.isFile() === true ? { id, path, size: found.size, modified: found.mtimeMs } : undefined
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}
