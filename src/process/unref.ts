import type { Stream } from 'node:stream'

/** Lets this process exit while the pipe to a child is open. */
export function unref(stream: Stream | null | undefined): void {
  if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
}
