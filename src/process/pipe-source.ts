import { closeSync, constants, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

/** The part of Bun that waits for a descriptor as Node's sockets do. There, those end without a byte, and a file blocks a thread. */
declare const Bun: { file(descriptor: number): { stream(): ReadableStream } }

/** Reads a pipe or a terminal under Bun, without a thread that its end would leave in a read. Closes the descriptor at its end. */
export function bunSource(descriptor: number): Readable {
  const source = Readable.fromWeb(Bun.file(descriptor).stream())
  return source.once('close', () => closeSync(descriptor))
}

/** Reads a named pipe, or an open one by its path (`/dev/fd/63`). Unlike a file, it never blocks a thread. */
export function openPipeSource(path: string, { isBun }: { readonly isBun: boolean }): Readable {
  const { O_RDONLY, O_NONBLOCK } = constants
  const fd = openSync(path, O_RDONLY | O_NONBLOCK)
  try {
    return isBun ? bunSource(fd) : new Socket({ fd, readable: true, writable: false })
  } catch (error) {
    closeSync(fd)
    throw error
  }
}
