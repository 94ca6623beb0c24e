import { readdirSync } from 'node:fs'
import { fileError, systemCode } from '../files/system-error.ts'
import { isSessionId, type SessionId } from '../id.ts'

/** Lists the sessions with a file of this ending in a folder; none if the folder is missing. Throws `permission`, `internal`. */
export function listSessionIds(directory: string, ending: string): readonly SessionId[] {
  try {
    const names = readdirSync(directory).filter((name) => name.endsWith(ending))
    return names.map((name) => name.slice(0, -ending.length)).filter(isSessionId)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw fileError(error, directory, 'list')
  }
}
