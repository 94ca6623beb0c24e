import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { Caller, type CallerOptions } from './caller.ts'
import { createProtocolServer } from './protocol-server.ts'

export interface HttpCallersOptions extends Omit<CallerOptions, 'seesAll'> {
  /** Gets errors that no client learns of. */
  readonly report: (error: unknown) => void
}

/** A client of one of the two eras. */
interface Connected {
  readonly caller: Caller
  /** Of the older era. */
  readonly transport?: WebStandardStreamableHTTPServerTransport
  /** When it last asked for something, on the monotonic clock. */
  usedAt: number
}

/** Largest request in bytes. */
const largest = 16 * 1_024 * 1_024
/** Clients at once, and milliseconds after which one that asks for nothing is forgotten. */
const most = 100
const idleMs = 30 * 60_000

/**
 * The clients of a server over HTTP. One of the older era is known by the session that it begins. Requests of the newer one stand alone, so
 * its clients are told apart by the names that they give themselves. Whoever makes it closes it.
 */
export class HttpCallers {
  readonly #options: HttpCallersOptions
  readonly #modern: McpHttpHandler
  readonly #connected = new Map<string, Connected>()
  readonly #stopLooking: () => void

  constructor(options: HttpCallersOptions) {
    const { report, clock } = options
    this.#options = options
    this.#modern = createMcpHandler(
      () =>
        createProtocolServer({
          version: options.agent.version,
          callerOf: (client) => this.#callerOf(`name ${client}`),
          era: 'modern',
          report,
        }),
      // A stream, so that no client takes a long call for a dead connection.
      { legacy: 'reject', responseMode: 'sse', onerror: report, maxRequestBodySize: largest },
    )
    this.#stopLooking = clock.every(idleMs / 10, () => this.#forgetIdle(idleMs))
  }

  /** Answers a request that was let in. */
  async answer(request: Request): Promise<Response> {
    const isLegacy = await isLegacyRequest(request, undefined, { maxRequestBodySize: largest })
    if (!isLegacy) return this.#modern.fetch(request)
    const id = request.headers.get('mcp-session-id')
    if (id === null) return this.#begin(request)
    const found = this.#connected.get(id)
    if (found?.transport === undefined) return unknownSession()
    found.usedAt = this.#options.clock.monotonic()
    return found.transport.handleRequest(request)
  }

  /** Ends all calls of all clients. */
  async close(): Promise<void> {
    this.#stopLooking()
    const all = [...this.#connected.values()]
    this.#connected.clear()
    await Promise.all(all.map(leave))
    await this.#modern.close()
  }

  /** Begins the session of a client of the older era. */
  async #begin(request: Request): Promise<Response> {
    const { newKey, report, clock } = this.#options
    const caller = this.#newCaller()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: newKey,
      onsessioninitialized: (id) => {
        this.#keep(id, { caller, transport, usedAt: clock.monotonic() })
      },
      onsessionclosed: async (id) => {
        this.#connected.delete(id)
        await caller.close()
      },
      maxRequestBodySize: largest,
    })
    const { version } = caller
    const server = createProtocolServer({ version, callerOf: () => caller, era: 'legacy', report })
    await server.connect(transport)
    const response = await transport.handleRequest(request)
    if (transport.sessionId === undefined) await leave({ caller, transport })
    return response
  }

  #callerOf(key: string): Caller {
    const usedAt = this.#options.clock.monotonic()
    const found = this.#connected.get(key)
    if (found !== undefined) found.usedAt = usedAt
    const { caller } = found ?? { caller: this.#newCaller() }
    if (found === undefined) this.#keep(key, { caller, usedAt })
    return caller
  }

  #newCaller(): Caller {
    return new Caller({ ...this.#options, seesAll: false })
  }

  #keep(key: string, one: Connected): void {
    this.#connected.set(key, one)
    if (this.#connected.size > most) this.#forgetIdle(0, 1)
  }

  /** Forgets those without a call that have asked for nothing for this long, the longest first. */
  #forgetIdle(ms: number, count = Number.POSITIVE_INFINITY): void {
    const { clock, report } = this.#options
    const before = clock.monotonic() - ms
    const idle = [...this.#connected].filter(([, { caller, usedAt }]) => !caller.isBusy && usedAt <= before)
    for (const [key, one] of idle.sort(([, a], [, b]) => a.usedAt - b.usedAt).slice(0, count)) {
      this.#connected.delete(key)
      leave(one).catch(report)
    }
  }
}

async function leave({ caller, transport }: Pick<Connected, 'caller' | 'transport'>): Promise<void> {
  await caller.close()
  await transport?.close()
}

function unknownSession(): Response {
  const error = { code: -32_001, message: 'Session not found' }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 })
}
