import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { exchanged } from './exchanged.ts'

/**
 * Writes over a regular file where it lies, so that it keeps its owner and its other names. `path` is real. What that costs:
 * readers may meet half of the new content, and a crash leaves it. A full disk does not: what the file grows by is written first
 * and taken back where it does not fit. `mode` replaces the old one.
 */
export async function writeInPlace(path: string, bytes: Uint8Array, mode?: number): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { size } = await requireSame(file, path)
    try {
      await writeAt(file, bytes.subarray(size), size)
    } catch (error) {
      await file.truncate(size)
      throw error
    }
    await writeAt(file, bytes.subarray(0, size), 0)
    await file.truncate(bytes.length)
    if (mode !== undefined) await file.chmod(mode)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** What was opened is a regular file, and what the path names: neither a part of the path was exchanged, nor its end. */
async function requireSame(file: FileHandle, path: string): Promise<{ readonly size: number }> {
  const [opened, named] = [await file.stat(), await lstat(path)]
  const same = opened.isFile() && opened.dev === named.dev && opened.ino === named.ino
  if (!same || (await realpath(path)) !== path) throw exchanged(path)
  return opened
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let at = 0
  while (at < bytes.length) {
    at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten
  }
}
