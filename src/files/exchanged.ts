import { fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { PipeError } from '../error.ts'

/** The refusal of a path that leads elsewhere than when it was judged. */
export function exchanged(path: string, doing: 'read' | 'write' | 'list'): PipeError {
  return new PipeError('invalid', `cannot ${doing} ${path}: it leads elsewhere than a moment ago`, {
    details: { path, reason: 'exchanged' },
  })
}

/**
 * Whether an open file or folder is the one at this path, which was real before: no part of it was exchanged for a link. Linux says
 * where it lies; elsewhere it is compared with what the path names now.
 */
export function isOpenedAt(descriptor: number, path: string): boolean {
  const place = placeOf(descriptor)
  // One that was replaced since it was opened lay there, too.
  if (place === path || place === `${path} (deleted)`) return true
  // Where names have no case, the system knows a file by the one that was used first.
  if (place !== undefined && place.toLowerCase() !== path.toLowerCase()) return false
  const [opened, named] = [fstatSync(descriptor), lstatSync(path)]
  return opened.dev === named.dev && opened.ino === named.ino && realpathSync.native(path) === path
}

/** Where an open file or folder lies by now; `undefined` where the system does not say. */
export function placeOf(descriptor: number): string | undefined {
  try {
    return readlinkSync(wayTo(descriptor))
  } catch {
    return undefined
  }
}

/** On Linux, what leads to an open file or folder wherever its path leads by now. */
export function wayTo(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`
}
