import { Readable, type Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Caller } from './caller.ts'
import { createProtocolServer } from './protocol-server.ts'
import { wholeLines } from './whole-lines.ts'

export interface StdioServing {
  readonly caller: Caller
  readonly stdin: AsyncIterable<Uint8Array>
  /** Gets nothing but messages. */
  readonly stdout: Writable
  /** Ends the connection. */
  readonly signal: AbortSignal
  /** Gets errors that the client does not learn of. */
  readonly report: (error: unknown) => void
}

/** Speaks to one client until it closes its end, or the signal fires. The caller's calls are ended then. */
export async function serveOverStdio({ caller, stdin, stdout, signal, report }: StdioServing): Promise<void> {
  const input = Readable.from(wholeLines(stdin), { objectMode: true })
  // Lines come whole, and their length is checked there.
  const transport = new StdioServerTransport(input, stdout, { maxBufferSize: Number.MAX_SAFE_INTEGER })
  const own = { version: caller.version, callerOf: () => caller, report }
  const connection = serveStdio(({ era }) => createProtocolServer({ ...own, era }), {
    transport,
    onerror: report,
  })
  const isOver = new Promise<void>((resolve) => {
    const close = transport.onclose
    transport.onclose = () => {
      close?.()
      resolve()
    }
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
  await isOver
  await caller.close()
  await connection.close()
  input.destroy()
}
