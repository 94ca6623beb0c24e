import { closeSync, constants, openSync } from 'node:fs'
import { Socket } from 'node:net'

/** Reads a named pipe, or an open one by its path (`/dev/fd/63`). Unlike a file, it never blocks a thread. */
export function openPipeSource(path: string): Socket {
  const { O_RDONLY, O_NONBLOCK } = constants
  const fd = openSync(path, O_RDONLY | O_NONBLOCK)
  try {
    return new Socket({ fd, readable: true, writable: false })
  } catch (error) {
    closeSync(fd)
    throw error
  }
}
