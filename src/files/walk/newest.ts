import { lstat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { isPipeError, throwIfAborted } from '../../error.ts'
import { openFolder } from '../open-folder.ts'
import { systemCode } from '../system-error.ts'

const foldersAtOnce = 4
const filesAtOnce = 16

interface DatedFile {
  readonly path: string
  readonly changed: number
}

/**
 * Returns the real paths that are files, last changed first. Opens each parent folder by its path and skips it if a link has replaced it.
 */
export async function newestFirst(paths: readonly string[], signal: AbortSignal): Promise<string[]> {
  // The workers share this iterator, so that each takes the next folder when it is done with one.
  const folders = byFolder(paths).entries()
  const dated: DatedFile[] = []
  const work = async () => {
    for (const [folder, inFolder] of folders) dated.push(...(await datedFiles(folder, inFolder, signal)))
  }
  await Promise.all(Array.from({ length: foldersAtOnce }, work))
  return dated.sort((a, b) => b.changed - a.changed || (a.path < b.path ? -1 : 1)).map(({ path }) => path)
}

function byFolder(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, string[]>()
  for (const path of paths) {
    const folder = dirname(path)
    const files = folders.get(folder)
    if (files === undefined) folders.set(folder, [path])
    else files.push(path)
  }
  return folders
}

async function datedFiles(
  path: string,
  files: readonly string[],
  signal: AbortSignal,
): Promise<readonly DatedFile[]> {
  const found: DatedFile[] = []
  try {
    const folder = openFolder(path, 'list')
    try {
      for (let i = 0; i < files.length; i += filesAtOnce) {
        throwIfAborted(signal)
        const some = files.slice(i, i + filesAtOnce).map((file) => dated(file, folder.at(basename(file))))
        found.push(...(await Promise.all(some)).flat())
      }
    } finally {
      folder.close()
    }
  } catch (error) {
    if (!isGone(error)) throw error
  }
  return found
}

async function dated(path: string, way: string): Promise<readonly DatedFile[]> {
  try {
    const stats = await lstat(way)
    return stats.isFile() ? [{ path, changed: stats.mtimeMs }] : []
  } catch (error) {
    if (isGone(error)) return []
    throw error
  }
}

/** Whether the path is gone, replaced or unreadable. */
function isGone(error: unknown): boolean {
  if (isPipeError(error)) return error.code === 'invalid'
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(systemCode(error) ?? '')
}
