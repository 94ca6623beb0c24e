import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setModeOf } from '../mode.ts'
import type { OpenFolder } from '../open-folder.ts'
import { exchanged, isOpenedAt } from './exchanged.ts'

/**
 * Overwrites a regular file in place, which keeps everything but its content. Readers may see half of the new content, and a crash
 * leaves it. A full disk does no harm: the growth is written first, and undone if it does not fit. `mode` replaces the old mode.
 */
export async function writeInPlace(
  folder: OpenFolder,
  name: string,
  bytes: Uint8Array,
  mode?: number,
): Promise<void> {
  const file = await open(folder.at(name), constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { size } = await requireAt(file, join(folder.path, name))
    try {
      await writeAt(file, bytes.subarray(size), size)
    } catch (error) {
      await file.truncate(size)
      throw error
    }
    await writeAt(file, bytes.subarray(0, size), 0)
    await file.truncate(bytes.length)
    if (mode !== undefined) await setModeOf(file, mode)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Throws unless the open file is regular and still at this path. */
async function requireAt(file: FileHandle, path: string): Promise<{ readonly size: number }> {
  const opened = await file.stat()
  if (!opened.isFile() || !isOpenedAt(file.fd, path)) throw exchanged(path, 'write')
  return opened
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let at = 0
  while (at < bytes.length) {
    at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten
  }
}
