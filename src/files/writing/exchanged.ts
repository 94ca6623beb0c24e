import { fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { PipeError } from '../../error.ts'

/** The error for a path that no longer leads to the file that was judged. */
export function exchanged(path: string, doing: 'read' | 'write' | 'list' | 'move'): PipeError {
  return new PipeError('invalid', `cannot ${doing} ${path}: it now leads to a different file`, {
    details: { path, reason: 'exchanged' },
  })
}

/**
 * Whether an open file or folder is the one at this real path, and no part of the path was swapped for a link. Linux reports where it
 * is; other systems compare it with what is at the path now.
 */
export function isOpenedAt(descriptor: number, path: string): boolean {
  const actual = openFilePath(descriptor)
  // A file that was replaced since it was opened was here, too.
  if (actual === path || actual === `${path} (deleted)`) return true
  // On a case-insensitive file system, the kernel remembers the spelling used first.
  if (actual !== undefined && actual.toLowerCase() !== path.toLowerCase()) return false
  const [opened, named] = [fstatSync(descriptor), lstatSync(path)]
  return opened.dev === named.dev && opened.ino === named.ino && realpathSync.native(path) === path
}

/** The current path of an open file or folder. `undefined` if the system does not report it. */
export function openFilePath(descriptor: number): string | undefined {
  try {
    return readlinkSync(wayTo(descriptor))
  } catch {
    return undefined
  }
}

/** A path that leads to an open file or folder on Linux, even if its own path changes. */
export function wayTo(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`
}
