import { isPipeError, PipeError } from '../error.ts'
import type { AnyToolServer } from '../machine/tool-server.ts'
import type { Connection, ConnectOptions, ServerPlatform } from './connection.ts'

/** Names the state of the connection to a server. */
export type LinkState =
  | { readonly type: 'idle' }
  | { readonly type: 'starting' }
  | { readonly type: 'open' }
  | { readonly type: 'failed'; readonly reason: string }

export interface LinkOptions extends Pick<ConnectOptions, 'signal' | 'onAsk' | 'onChanged'> {
  readonly server: AnyToolServer
  readonly platform: ServerPlatform
  /** The era of the server when it was last reached. */
  readonly era: () => ConnectOptions['era']
}

/** Pause in ms before a server that failed is tried again: doubled each time. */
const pause = { first: 1_000, last: 60_000 }

/** The connection to a server, made when it is needed, and again after it died. */
export class ServerLink {
  readonly #options: LinkOptions
  #state: LinkState = { type: 'idle' }
  #connecting: Promise<Connection> | undefined
  /** The connection that is in use, whose end is a failure. */
  #current: Connection | undefined
  #failures = 0
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(options: LinkOptions) {
    this.#options = options
  }

  get state(): LinkState {
    return this.#state
  }

  /** The connection that is in use, if there is one. */
  get current(): Connection | undefined {
    return this.#current
  }

  /** Resolves with the connection. Throws `tool` with the reason, or how long until it is tried again. */
  open(): Promise<Connection> {
    const { clock } = this.#options.platform
    const wait = Math.min(pause.last, pause.first * 2 ** (this.#failures - 1))
    const left = this.#failedAt + wait - clock.monotonic()
    if (this.#connecting === undefined && this.#failures > 0 && left > 0 && this.#state.type === 'failed')
      return Promise.reject(
        new PipeError('tool', `${this.#state.reason}; it is started again in ${Math.ceil(left / 1_000)} s`),
      )
    this.#connecting ??= this.#connect()
    return this.#connecting
  }

  /** Notes that the server does what it should, so that the next failure is its first. */
  prove(): void {
    this.#failures = 0
  }

  /** Forgets a failure and a connection, so that the next use starts it anew. */
  async restart(): Promise<void> {
    const connection = this.#connecting
    this.#lose()
    this.#failures = 0
    this.#failedAt = Number.NEGATIVE_INFINITY
    this.#state = { type: 'idle' }
    await closed(connection)
  }

  /** Resolves with another connection than this one, whose session the server has forgotten. Throws as `open`. */
  async replace(connection: Connection): Promise<Connection> {
    // Several requests may fail over the same connection.
    if (this.#current === connection) await this.restart()
    return this.open()
  }

  async close(): Promise<void> {
    const connection = this.#connecting
    this.#lose()
    await closed(connection)
  }

  async #connect(): Promise<Connection> {
    const { server, platform, signal, era, onAsk, onChanged } = this.#options
    this.#state = { type: 'starting' }
    let connection: Connection | undefined
    try {
      // The client of the protocol is large, and most runs start no server.
      const { connect } = await import('./connection.ts')
      connection = await connect(server, platform, {
        signal,
        era: era(),
        onAsk,
        onChanged,
        onEnd: () => {
          if (connection === undefined || connection !== this.#current) return
          this.#fail(`the MCP server ${server.name} failed: ${connection.reason() ?? 'it ended'}`)
        },
      })
    } catch (error) {
      this.#fail(isPipeError(error) ? error.message : String(error))
      throw error
    }
    this.#current = connection
    const reason = connection.reason()
    if (reason === undefined) {
      this.#state = { type: 'open' }
      return connection
    }
    this.#fail(`the MCP server ${server.name} failed: ${reason}`)
    throw new PipeError('tool', `the MCP server ${server.name} failed: ${reason}`)
  }

  #fail(reason: string): void {
    this.#lose()
    this.#failures += 1
    this.#failedAt = this.#options.platform.clock.monotonic()
    this.#state = { type: 'failed', reason }
  }

  #lose(): void {
    this.#connecting = undefined
    this.#current = undefined
  }
}

/** Closes a connection, which may be on its way. One that failed is closed already. */
async function closed(connecting: Promise<Connection> | undefined): Promise<void> {
  const connection = await connecting?.catch(() => undefined)
  await connection?.close()
}
