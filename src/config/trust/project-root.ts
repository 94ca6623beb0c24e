import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lookThrough } from '../../files/look.ts'
import { followed } from '../../files/real-path.ts'
import { isWithin } from '../../machine/path.ts'

/** Finds the nearest folder from `cwd` upwards that has an entry with one of these names; else returns `cwd`. */
export function findRoot(cwd: string, names: readonly string[]): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (names.some((name) => lookThrough(join(folder, name)) !== undefined)) return folder
    if (dirname(folder) === folder) return cwd
  }
}

/** Whether a path is in this folder or is the folder itself. Follows the links of existing paths. */
export function holds(folder: string, path: string): boolean {
  return isWithin(followed(path), followed(folder))
}

/** Follows the links of a path. `undefined` if nothing is there or it cannot be reached. */
export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}
