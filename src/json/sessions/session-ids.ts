import { readdirSync } from 'node:fs'
import { fileError, systemCode } from '../../files/system-error.ts'
import { isSessionId, type SessionId } from '../../id.ts'

/** Lists the sessions with a file of this ending in a folder; none if the folder is missing. Throws `permission`, `internal`. */
export function listSessionIds(directory: string, ending: string): readonly SessionId[] {
  return sessionIdsAmong(listNames(directory), ending)
}

/** Returns the sessions among the names of files with this ending. */
export function sessionIdsAmong(names: readonly string[], ending: string): readonly SessionId[] {
  const found = names.filter((name) => name.endsWith(ending))
  return found.map((name) => name.slice(0, -ending.length)).filter(isSessionId)
}

/** Lists the names in a folder; none if it is missing. Throws `permission`, `internal`. */
export function listNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw fileError(error, directory, 'list')
  }
}
