import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

/**
 * Writes an answer as the client takes it, one event at a time. A stream that fails breaks the connection, so that no client takes what
 * arrived for the whole; `report` gets the error. Returns what tells the adapter that nothing is left to do.
 */
export async function sendEvents(
  { response, body }: { readonly response: Response; readonly body: ReadableStream<Uint8Array> },
  outgoing: ServerResponse,
  report: (error: unknown) => void,
): Promise<Response> {
  const reader = body.getReader()
  const leave = () => void reader.cancel().catch(report)
  outgoing.once('close', leave)
  if (outgoing.destroyed) leave()
  const writes = new GatheredWrites(outgoing)
  try {
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.flushHeaders()
    for (;;) {
      const { done, value } = await reader.read()
      if (done || outgoing.destroyed) break
      writes.gather()
      if (!outgoing.write(value)) await taken(outgoing)
    }
    // Node 24 drops what is still gathered when the answer ends.
    writes.flush()
    if (!outgoing.destroyed) outgoing.end()
  } catch (error) {
    report(error)
    outgoing.destroy()
  } finally {
    outgoing.off('close', leave)
  }
  return RESPONSE_ALREADY_SENT
}

/** Passes writes that follow each other without a pause to the system as one. */
class GatheredWrites {
  readonly #outgoing: ServerResponse
  #flushing: NodeJS.Immediate | undefined

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing
  }

  /** Called before a write. */
  gather(): void {
    if (this.#flushing !== undefined) return
    this.#outgoing.cork()
    this.#flushing = setImmediate(() => this.flush())
  }

  /** Passes on what was written so far. */
  flush(): void {
    if (this.#flushing === undefined) return
    clearImmediate(this.#flushing)
    this.#flushing = undefined
    this.#outgoing.uncork()
  }
}

/** Waits until the client has taken what was written, or is gone. */
function taken(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off('drain', go)
      outgoing.off('close', go)
      resolve()
    }
    outgoing.on('drain', go)
    outgoing.on('close', go)
    if (outgoing.destroyed) go()
  })
}
