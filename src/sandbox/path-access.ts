import { readdirSync, type Stats } from 'node:fs'
import { isMarked } from '../files/mount-placeholder.ts'
import { realPath } from '../files/real-path.ts'

/**
 * How a path appears inside. `frozen`: read-only, but paths below may be writable. `read`: read-only with everything below.
 * `empty_folder`, `empty_file`: stands for a missing path. `hidden_folder` includes everything below.
 */
export type Access = 'write' | 'frozen' | 'empty_folder' | 'empty_file' | 'read' | 'hidden' | 'hidden_folder'

/** Whether the path's contents are invisible inside. */
export function isHidden(access: Access): boolean {
  return access === 'hidden' || access === 'hidden_folder'
}

/** By absolute path, without symlinks; a folder comes before its contents. Everything else is read-only. */
export type Accesses = ReadonlyMap<string, Access>

/**
 * Whether the path is only a placeholder of a process that runs commands: marked and empty. One with contents counts as a real file,
 * because the contents need protection.
 */
export function isPlaceholder(path: string, found: Stats): boolean {
  if (!isMarked(found)) return false
  try {
    return found.isFile() || readdirSync(path).length === 0
  } catch {
    return false
  }
}

/** Resolves a path's symlinks; returns the path itself if they form a loop or a folder cannot be searched. */
export async function follow(path: string): Promise<string> {
  return realPath(path).catch(() => path)
}
