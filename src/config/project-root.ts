import { existsSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isWithin } from '../path.ts'

/** The nearest of `cwd` and the folders above it in which something has one of these names; else `cwd` itself. */
export function findRoot(cwd: string, names: readonly string[]): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (names.some((name) => look(join(folder, name)) !== undefined)) return folder
    if (dirname(folder) === folder) return cwd
  }
}

/** Whether a path is this folder or lies in it. Where links lead counts, as far as the paths exist. */
export function holds(folder: string, path: string): boolean {
  return isWithin(real(path), real(folder))
}

/** The path without links; as it is where nothing stands there. */
export function real(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}

/** What stands at a path; `undefined` where nothing does or where it cannot be reached. */
export function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
