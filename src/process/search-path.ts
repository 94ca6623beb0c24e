import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { isWithin } from '../machine/path.ts'

/** Returns the absolute entries of a `PATH`. Relative or empty ones depend on the folder a command runs in. */
export function absoluteEntries(path: string): readonly string[] {
  return path.split(':').filter(isAbsolute)
}

/** Returns the absolute path of a program on a `PATH`, skipping relative entries and those in `except`. */
export function findProgram(name: string, path: string, except: readonly string[] = []): string | undefined {
  return absoluteEntries(pathOutside(path, except))
    .map((entry) => join(entry, name))
    .find(isExecutable)
}

/** Returns a `PATH` without relative entries and those in `except`, for programs that look up others. */
export function pathOutside(path: string, except: readonly string[]): string {
  return absoluteEntries(path)
    .filter((entry) => !isIn(entry, except))
    .join(':')
}

/**
 * Finds the program that a name runs on a `PATH`, if it lies in one of these folders; otherwise `undefined`. Returns the same answer for
 * the same files.
 */
export function programsWithin(
  folders: readonly string[],
  path: string,
): (name: string) => string | undefined {
  const read = () => absoluteEntries(path).map((entry) => ({ entry, isInside: isIn(entry, folders) }))
  let entries: ReturnType<typeof read> | undefined
  return (name) => {
    entries ??= read()
    if (!entries.some(({ isInside }) => isInside)) return undefined
    const found = entries.find(({ entry }) => isExecutable(join(entry, name)))
    return found?.isInside === true ? join(found.entry, name) : undefined
  }
}

/** Matches the path as written or with its links resolved. */
function isIn(entry: string, folders: readonly string[]): boolean {
  const spellings = existsSync(entry) ? [entry, realpathSync(entry)] : [entry]
  return spellings.some((one) => folders.some((folder) => isWithin(one, folder)))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
