import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { PipeError, throwIfAborted } from '../error.ts'
import { fileError } from './system-error.ts'

const chunkSize = 256 * 1024

/**
 * The bytes of a regular file, piece by piece; a piece is valid until the next pull. Throws `not_found`, `permission`, and
 * `invalid` for what is no regular file, without waiting for a FIFO's writer or touching a device.
 */
export async function* readChunks(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  throwIfAborted(signal)
  try {
    requireRegular(path, await stat(path))
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      // The path may have been exchanged since it was looked at.
      requireRegular(path, await file.stat())
      const buffer = Buffer.allocUnsafe(chunkSize)
      for (;;) {
        throwIfAborted(signal)
        const { bytesRead } = await file.read(buffer, 0, chunkSize, null)
        if (bytesRead === 0) return
        yield buffer.subarray(0, bytesRead)
      }
    } finally {
      await file.close()
    }
  } catch (error) {
    throw fileError(error, path, 'read')
  }
}

interface Kind {
  isFile(): boolean
  isDirectory(): boolean
}

function requireRegular(path: string, kind: Kind): void {
  if (kind.isFile()) return
  const reason = kind.isDirectory() ? 'it is a folder' : 'it is no regular file (a pipe, socket or device)'
  throw new PipeError('invalid', `cannot read ${path}: ${reason}`, {
    details: { path, reason: kind.isDirectory() ? 'EISDIR' : 'not_regular' },
  })
}
