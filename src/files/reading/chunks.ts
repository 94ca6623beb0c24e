import { constants } from 'node:fs'
import { PipeError, throwIfAborted } from '../../error.ts'
import type { ArtifactOptions } from '../../machine/artifact.ts'
import { promises } from '../lazy-fs.ts'
import { fileError, systemCode } from '../system-error.ts'
import { exchanged, isOpenedAt } from '../writing/exchanged.ts'

/** Chunk sizes in bytes: most files are small, and large ones read much faster in large chunks. */
const firstSize = 64 * 1024
const lastSize = 1024 * 1024

/**
 * Reads a regular file in chunks, each valid until the next pull. Throws `not_found`, `permission`, and `invalid` if it is not a
 * regular file (without waiting for a FIFO's writer or touching a device) or if `followLinks` is off and the path is not real.
 */
export async function* readChunks(
  path: string,
  { signal, followLinks = true }: ArtifactOptions,
): AsyncGenerator<Uint8Array> {
  throwIfAborted(signal)
  const { open, stat } = promises()
  try {
    requireRegular(path, await stat(path))
    const flags = constants.O_RDONLY | constants.O_NONBLOCK
    const file = await open(path, followLinks ? flags : flags | constants.O_NOFOLLOW)
    try {
      // The path may have been swapped since the check.
      if (!followLinks && !isOpenedAt(file.fd, path)) throw exchanged(path, 'read')
      requireRegular(path, await file.stat())
      let buffer = Buffer.allocUnsafe(firstSize)
      for (;;) {
        throwIfAborted(signal)
        const { bytesRead } = await file.read(buffer, 0, buffer.length, null)
        if (bytesRead === 0) return
        yield buffer.subarray(0, bytesRead)
        if (buffer.length < lastSize) buffer = Buffer.allocUnsafe(buffer.length * 4)
      }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (!followLinks && systemCode(error) === 'ELOOP') throw exchanged(path, 'read')
    throw fileError(error, path, 'read')
  }
}

interface Kind {
  isFile(): boolean
  isDirectory(): boolean
}

function requireRegular(path: string, kind: Kind): void {
  if (kind.isFile()) return
  const reason = kind.isDirectory() ? 'it is a folder' : 'it is not a regular file (a pipe, socket or device)'
  throw new PipeError('invalid', `cannot read ${path}: ${reason}`, {
    details: { path, reason: kind.isDirectory() ? 'EISDIR' : 'not_regular' },
  })
}
