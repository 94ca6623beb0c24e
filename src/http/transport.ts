import type { Agent, ClientRequest, IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import { PipeError } from '../error.ts'
import type { Transport } from '../transport.ts'
import { admittedRoute } from './admission.ts'
import { decompressed } from './compression.ts'
import { toPipeError, unsendable } from './failure.ts'

export interface TransportOptions {
  /** How long a server may stay silent while something is awaited of it. Any byte counts as life. Default 300,000 ms. */
  readonly idleMs?: number
  /** Where names lead, for requests with `admit`. Default: what the system says. */
  readonly lookup?: LookupFunction
}

/** How long a body that was left early may still come to its end, so that its connection can be used again. */
const graceMs = 250

/**
 * The network on Node's own HTTP client: no redirects, no proxies, connections kept alive until `close`. Nothing is loaded
 * before the first `prepare` or `send`.
 */
export function createTransport({ idleMs = 300_000, lookup }: TransportOptions = {}): Transport {
  const agents = new Map<string, Agent>()

  /** The client for a protocol, with connections of this transport's own. */
  const client = (protocol: string) => {
    const { request, Agent } = loadClient(protocol)
    const agent = agents.get(protocol) ?? new Agent({ keepAlive: true })
    agents.set(protocol, agent)
    return { request, agent }
  }

  return {
    async send({ method, url, headers, body = '', admit }, { signal }) {
      if (signal.aborted) throw aborted(signal)
      const target = parseUrl(url)
      const { request, agent } = client(target.protocol)
      const route = admit === undefined ? { agent } : admittedRoute(target, admit, lookup)
      const length = { 'content-length': String(Buffer.byteLength(body)) }
      let outgoing: ClientRequest
      try {
        outgoing = request(target, { method, ...route, headers: { ...headers, ...length } })
      } catch (error) {
        throw unsendable(error, target)
      }
      const exchange = new Exchange(outgoing, { target, idleMs, signal })
      outgoing.end(body)
      const incoming = await exchange.response()
      return {
        status: incoming.statusCode ?? 0,
        headers: joined(incoming),
        body: exchange.body(incoming),
      }
    },
    prepare(url) {
      loadClient(url.slice(0, url.indexOf(':') + 1))
    },
    close() {
      for (const agent of agents.values()) agent.destroy()
      agents.clear()
    },
  }
}

function loadClient(protocol: string) {
  return process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')
}

interface ExchangeOptions {
  readonly target: URL
  readonly idleMs: number
  readonly signal: AbortSignal
}

/** One request and its answer. Owns the socket from the first byte to the last. */
class Exchange {
  readonly #outgoing: ClientRequest
  readonly #options: ExchangeOptions
  #incoming: IncomingMessage | undefined

  constructor(outgoing: ClientRequest, options: ExchangeOptions) {
    this.#outgoing = outgoing
    this.#options = options
    options.signal.addEventListener('abort', this.#onAbort, { once: true })
    outgoing.on('timeout', () => this.#destroy(silent(options)))
  }

  async response(): Promise<IncomingMessage> {
    this.#outgoing.setTimeout(this.#options.idleMs)
    try {
      this.#incoming = await new Promise<IncomingMessage>((resolve, reject) => {
        this.#outgoing.once('response', resolve).on('error', reject)
      })
      return this.#incoming
    } catch (error) {
      this.#release()
      throw this.#translate(error)
    } finally {
      this.#outgoing.setTimeout(0)
    }
  }

  /** The idle limit runs only while a read is pending: a consumer that takes its time is no silence of the server. */
  async *body(incoming: IncomingMessage): AsyncGenerator<Uint8Array, void, undefined> {
    const chunks = decompressed(incoming).iterator({ destroyOnReturn: false })
    try {
      for (;;) {
        this.#outgoing.setTimeout(this.#options.idleMs)
        const { done, value } = await chunks.next()
        if (done === true) return
        this.#outgoing.setTimeout(0)
        yield value
      }
    } catch (error) {
      throw this.#translate(error)
    } finally {
      await chunks.return?.()
      this.#release()
      this.#leave(incoming)
    }
  }

  /** What is left may only be the end; everything else closes the socket. */
  #leave(incoming: IncomingMessage): void {
    if (incoming.readableEnded || incoming.destroyed) return
    incoming.once('data', () => incoming.destroy()).resume()
    this.#outgoing.setTimeout(graceMs)
  }

  #release(): void {
    this.#options.signal.removeEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = (): void => this.#destroy(aborted(this.#options.signal))

  #destroy(error: PipeError): void {
    if (this.#incoming === undefined) this.#outgoing.destroy(error)
    else this.#incoming.destroy(error)
  }

  #translate(error: unknown): PipeError {
    return this.#options.signal.aborted
      ? aborted(this.#options.signal)
      : toPipeError(error, this.#options.target)
  }
}

function parseUrl(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : undefined
  if (target?.protocol === 'http:' || target?.protocol === 'https:') return target
  throw new PipeError('config', `not an HTTP address: ${url}; a base URL looks like https://host/v1`)
}

function joined(incoming: IncomingMessage): Readonly<Record<string, string>> {
  const distinct = Object.entries(incoming.headersDistinct)
  return Object.fromEntries(distinct.map(([name, values = []]) => [name, values.join(', ')]))
}

function aborted(signal: AbortSignal): PipeError {
  return new PipeError('aborted', 'interrupted', { cause: signal.reason })
}

function silent({ target, idleMs }: ExchangeOptions): PipeError {
  return new PipeError('timeout', `${target.host} has been silent for ${idleMs / 1000} s`)
}
