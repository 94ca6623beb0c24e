import { SdkHttpError, type StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Clock } from '../clock.ts'

/** Time in ms for the answer to the end of a session. */
const endMs = 1_000

/** The session that a server over HTTP may keep for a client (`Mcp-Session-Id`). */
export class HttpSession {
  readonly #transport: Pick<StreamableHTTPClientTransport, 'sessionId' | 'terminateSession'>
  #isOver = false

  constructor(transport: Pick<StreamableHTTPClientTransport, 'sessionId' | 'terminateSession'>) {
    this.#transport = transport
  }

  /** Whether the server has answered that it no longer knows the session. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Notes what a failed request says of the session: a server answers 404 to one that it does not know. */
  note(error: unknown): void {
    const { sessionId } = this.#transport
    if (sessionId !== undefined && error instanceof SdkHttpError && error.status === 404) this.#isOver = true
  }

  /** Tells the server that the session ends, and waits for its answer for one second at most. */
  async end(clock: Pick<Clock, 'after'>): Promise<void> {
    if (this.#transport.sessionId === undefined || this.#isOver) return
    await new Promise<void>((resolve) => {
      const cancel = clock.after(endMs, resolve)
      const settle = () => {
        cancel()
        resolve()
      }
      // The session ends on the server's side sooner or later, so its refusal changes nothing.
      this.#transport.terminateSession().then(settle, settle)
    })
  }
}
