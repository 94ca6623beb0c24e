import { constants } from 'node:fs'
import { PipeError, throwIfAborted } from '../error.ts'
import { promises } from './lazy-fs.ts'
import { fileError } from './system-error.ts'

/** Bytes of a piece: most files are small, and large ones are read much faster in large pieces. */
const firstSize = 64 * 1024
const lastSize = 1024 * 1024

/**
 * The bytes of a regular file, piece by piece; a piece is valid until the next pull. Throws `not_found`, `permission`, and
 * `invalid` for what is no regular file, without waiting for a FIFO's writer or touching a device.
 */
export async function* readChunks(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  throwIfAborted(signal)
  const { open, stat } = promises()
  try {
    requireRegular(path, await stat(path))
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      // The path may have been exchanged since it was looked at.
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
