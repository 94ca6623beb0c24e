import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Clock } from '../clock.ts'
import { PipeError } from '../error.ts'
import { BodyReader } from './body-reader.ts'
import { isClosedByServer, toPipeError, type Way } from './network-failure.ts'

/** Time for an abandoned body to end, so that its connection can be reused. */
const graceMs = 250

export interface ExchangeOptions {
  readonly way: Way
  readonly idleMs: number
  readonly signal: AbortSignal
  /** Times the reading of fast streams. */
  readonly clock: Pick<Clock, 'monotonic' | 'after'> | undefined
}

/** One request and its answer. Owns the socket from the first byte to the last. */
export class Exchange {
  readonly #outgoing: ClientRequest
  readonly #options: ExchangeOptions
  #incoming: IncomingMessage | undefined
  #isStale = false

  constructor(outgoing: ClientRequest, options: ExchangeOptions) {
    this.#outgoing = outgoing
    this.#options = options
    options.signal.addEventListener('abort', this.#onAbort, { once: true })
    outgoing.on('timeout', () => this.#destroy(silenceError(options)))
  }

  /** Whether it failed because the server had closed a connection that was kept from an earlier request. */
  get isStale(): boolean {
    return this.#isStale
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
      this.#isStale = this.#outgoing.reusedSocket && isClosedByServer(error)
      throw this.#translate(error)
    } finally {
      this.#outgoing.setTimeout(0)
    }
  }

  /** Runs the idle limit only while a read is pending, so a slow consumer does not count as a silent server. */
  async *body(incoming: IncomingMessage): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = new BodyReader(decompressed(incoming), this.#options.clock)
    try {
      for (;;) {
        this.#outgoing.setTimeout(this.#options.idleMs)
        const bytes = await reader.next()
        if (this.#options.signal.aborted) throw aborted(this.#options.signal)
        if (bytes === undefined) return
        this.#outgoing.setTimeout(0)
        yield bytes
      }
    } catch (error) {
      throw this.#translate(error)
    } finally {
      reader.release()
      this.#release()
      this.#leave(incoming)
    }
  }

  /** Waits for the end of the body. Any further data closes the socket. */
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
      : toPipeError(error, this.#options.way)
  }
}

/** Returns the headers of an answer, joining several values of one name. */
export function responseHeaders(incoming: IncomingMessage): Readonly<Record<string, string>> {
  const distinct = Object.entries(incoming.headersDistinct)
  return Object.fromEntries(distinct.map(([name, values = []]) => [name, values.join(', ')]))
}

/** Returns the error of an interrupted exchange. */
export function aborted(signal: AbortSignal): PipeError {
  return new PipeError('aborted', 'interrupted', { cause: signal.reason })
}

function silenceError({ way, idleMs }: ExchangeOptions): PipeError {
  return new PipeError('timeout', `${way.target.host} has been silent for ${idleMs / 1000} s`)
}

type Create = 'createGunzip' | 'createInflate' | 'createBrotliDecompress'

const creators: ReadonlyMap<string, Create> = new Map([
  ['gzip', 'createGunzip'],
  ['x-gzip', 'createGunzip'],
  ['deflate', 'createInflate'],
  ['br', 'createBrotliDecompress'],
])

/**
 * Decompresses a body piece by piece; some proxies compress unasked. Returns an uncompressed body as it is. Fails with the body's
 * errors and with zlib's own.
 */
function decompressed(incoming: IncomingMessage): Readable {
  const create = creators.get(incoming.headers['content-encoding']?.trim().toLowerCase() ?? '')
  if (create === undefined) return incoming
  const decompressor = process.getBuiltinModule('node:zlib')[create]()
  // The decompressor passes every failure on to its reader.
  return process.getBuiltinModule('node:stream').pipeline(incoming, decompressor, () => undefined)
}
