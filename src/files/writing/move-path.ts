import type { Stats } from 'node:fs'
import { lstat, readdir, rename } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { PipeError } from '../../error.ts'
import { syncFolder } from '../open-file.ts'
import { openFolder, openOrMakeFolder } from '../open-folder.ts'
import { statIfThere } from '../reading/read-if-there.ts'
import { fileError, systemCode } from '../system-error.ts'
import { exchanged } from './exchanged.ts'

/**
 * Moves a file or folder to a path at which there is nothing, both real paths. Creates missing folders. Throws `not_found`, `invalid` if
 * there is something or a folder on the way was swapped, `permission`, and `internal` with the system's reason.
 */
export async function movePath(from: string, to: string): Promise<void> {
  try {
    const source = openFolder(dirname(from), 'move')
    try {
      // Before any folder is made for it.
      const moved = await lstat(source.at(basename(from)))
      if (moved.isSymbolicLink()) throw exchanged(from, 'move')
      const target = openOrMakeFolder(dirname(to))
      try {
        await requireFree(target.at(basename(to)), to, moved)
        await rename(source.at(basename(from)), target.at(basename(to)))
        await syncFolder(target.at('.'))
        await syncFolder(source.at('.'))
      } finally {
        target.close()
      }
    } finally {
      source.close()
    }
  } catch (error) {
    if (systemCode(error) === 'ELOOP') throw exchanged(from, 'move')
    throw fileError(error, from, 'move')
  }
}

/** Throws `invalid` if there is anything but the file itself under another spelling, as where case does not count. */
async function requireFree(way: string, path: string, moved: Stats): Promise<void> {
  const there = await statIfThere(way)
  if (there === undefined) return
  const isSame = there.dev === moved.dev && there.ino === moved.ino
  // A folder lists one spelling of an entry. One that it lists is a hard link, which the system would leave where it is.
  if (isSame && !(await readdir(dirname(way))).includes(basename(way))) return
  throw new PipeError('invalid', `${path} already exists`, {
    details: { path, reason: 'exists' },
  })
}
