import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { realPath } from '../files/real-path.ts'

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

/** Of what stands in for nothing, so that other processes know it as such; nothing else of these names has it. */
export const standInBit = 0o1000

/** Whether nothing but a stand-in is there, as some process that runs commands needs it. */
export function isStandIn(path: string, found: Stats): boolean {
  if ((found.mode & standInBit) === 0) return false
  try {
    return found.isDirectory() ? readdirSync(path).length === 0 : found.isFile() && found.size === 0
  } catch {
    return false
  }
}

/** What a path leads to; the path itself where its links go in a circle or a folder may not be searched. */
export async function follow(path: string): Promise<string> {
  return realPath(path).catch(() => path)
}

/** What stands at a path; `undefined` where nothing does or where it cannot be reached. */
export function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
