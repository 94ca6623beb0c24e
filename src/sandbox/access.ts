import { readdirSync, type Stats } from 'node:fs'
import { realPath } from '../files/real-path.ts'
import { isMarked } from '../files/stand-in.ts'

/**
 * How a path is seen inside: `write`; `frozen`, which is read-only although something below it may be writable; `read`, with all
 * that is below it; as an empty folder or file, because nothing is there; `hidden`, and `hidden_folder` with all that is in it.
 */
export type Access = 'write' | 'frozen' | 'empty_folder' | 'empty_file' | 'read' | 'hidden' | 'hidden_folder'

/** Whether nothing of it is to be seen. */
export function isHidden(access: Access): boolean {
  return access === 'hidden' || access === 'hidden_folder'
}

/** By absolute path, without symlinks, the outer before the inner. All else is read-only. */
export type Accesses = ReadonlyMap<string, Access>

/**
 * Whether nothing but a stand-in is there, as some process that runs commands needs it: marked, and without anything in it, since what
 * was put into one has to be protected.
 */
export function isStandIn(path: string, found: Stats): boolean {
  if (!isMarked(found)) return false
  try {
    return found.isFile() || readdirSync(path).length === 0
  } catch {
    return false
  }
}

/** What a path leads to; the path itself where its links go in a circle or a folder may not be searched. */
export async function follow(path: string): Promise<string> {
  return realPath(path).catch(() => path)
}
