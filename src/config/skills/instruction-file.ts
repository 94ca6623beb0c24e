import { isPipeError } from '../../error.ts'
import { ok, type Result, refused } from '../../machine/result.ts'
import { readSettingsText } from '../settings-document.ts'
import { holds } from '../trust/project-root.ts'

/** Largest file of a skill or command, in bytes. */
const mostBytes = 256 * 1024

/** Reads the file of a skill or command, or refuses with the reason. A file of a project must not lead out of it. */
export function readInstructionFile(path: string, root: string | undefined): Result<string> {
  if (root !== undefined && !holds(root, path)) return refused('ignored: it leads out of the project')
  try {
    const text = readSettingsText(path, mostBytes)
    return text === undefined ? refused('it is a broken link') : ok(text)
  } catch (error) {
    if (!isPipeError(error)) throw error
    return refused(error.message.replace(`cannot read ${path}: `, ''))
  }
}
