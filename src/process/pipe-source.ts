import { closeSync, constants, createReadStream, openSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'

/**
 * Reads a named pipe, or an open one by its path (`/dev/fd/63`). Unlike a file, it never blocks a thread, but for Bun, whose sockets end
 * without a byte.
 */
export function openPipeSource(path: string, { isBun }: { readonly isBun: boolean }): Readable {
  if (isBun) return createReadStream(path)
  const { O_RDONLY, O_NONBLOCK } = constants
  const fd = openSync(path, O_RDONLY | O_NONBLOCK)
  try {
    return new Socket({ fd, readable: true, writable: false })
  } catch (error) {
    closeSync(fd)
    throw error
  }
}
