import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { enumerate } from '../../characters/enumerate.ts'
import { isPipeError } from '../../error.ts'
import { look } from '../../files/look.ts'
import { readIfThere } from '../../files/reading/read-if-there.ts'
import { systemCode } from '../../files/system-error.ts'
import { isWithin } from '../../machine/path.ts'
import { findRoot } from './project-root.ts'

interface Wanted {
  /** Whether their folders hold no files, as in every worktree that pipe makes. */
  readonly isEmpty: boolean
  /** A phrase for the folder in which they are empty. */
  readonly where: string
}

/** Bytes of `.gitmodules` to read, submodules to look at, and names to tell. */
const most = { bytes: 100_000, submodules: 100, names: 10 }

/** Names the submodules of the repository around a folder that are there with, or without, files. `undefined` for none. */
export function submoduleNote(cwd: string, { isEmpty, where }: Wanted): string | undefined {
  const root = findRoot(cwd, ['.git'])
  const found = [...read(root).matchAll(/^[ \t]*path[ \t]*=[ \t]*(.+)$/gm)]
    .map(([, path = '']) => join(root, path.trim().replace(/^"(.*)"$/, '$1')))
    .filter((path) => path !== root && isWithin(path, root))
    .slice(0, most.submodules)
    .filter((path) => countIn(path) !== undefined && (countIn(path) === 0) === isEmpty)
  if (found.length === 0) return undefined
  // Quoted, because a name is the project's text.
  const names = found.map((path) => JSON.stringify(`${relative(cwd, path)}/`))
  return `submodules without files ${where}: ${enumerate(names, most.names)}`
}

function read(root: string): string {
  const path = join(root, '.gitmodules')
  const found = look(path)
  // A pipe of this name would never end.
  if (found?.isFile() !== true || found.size > most.bytes) return ''
  try {
    return readIfThere(path)?.toString() ?? ''
  } catch (error) {
    if (!isPipeError(error)) throw error
    return ''
  }
}

function countIn(folder: string): number | undefined {
  try {
    return readdirSync(folder).length
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}
