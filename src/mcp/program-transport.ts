import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { isPipeError, PipeError } from '../error.ts'
import { isJsonObject, type JsonObject, parseJson } from '../json-value.ts'
import type { ServerProgram } from '../machine/server-program.ts'
import { isMessage } from './message-lines.ts'

/** Speaks to a server inside the program that drives pipe. Each request is one of the program's own, answered with its result. */
export class ProgramTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #server: string
  readonly #program: ServerProgram
  readonly #stop = new AbortController()
  /** The requests without an answer, by their ids. */
  readonly #open = new Map<string | number, AbortController>()
  /** Messages that need no answer. */
  readonly #told = new Set<Promise<void>>()
  #unlisten: (() => void) | undefined

  constructor(server: string, program: ServerProgram) {
    this.#server = server
    this.#program = program
  }

  async start(): Promise<void> {
    this.#unlisten = this.#program.listen(this.#server, (message) => this.#hear(message))
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message) || !('id' in message)) return this.#tell(message)
    const asking = new AbortController()
    this.#open.set(message.id, asking)
    const signal = AbortSignal.any([asking.signal, this.#stop.signal])
    try {
      const answer = await this.#program.send(this.#server, jsonOf(message), signal)
      if (answer['id'] !== message.id) throw new PipeError('tool', `its answer to ${message.method} is none`)
      this.#hear(answer)
    } catch (error) {
      // Nobody waits for the answer to a cancelled request.
      if (!asking.signal.aborted) throw error
    } finally {
      this.#open.delete(message.id)
    }
  }

  async close(): Promise<void> {
    if (this.#stop.signal.aborted) return
    this.#stop.abort()
    this.#unlisten?.()
    await Promise.all(this.#told)
    this.onclose?.()
  }

  /** Sends a message that has no answer. A program need not say that it came. */
  #tell(message: JSONRPCMessage): void {
    const { signal } = this.#stop
    const told = this.#program
      .send(this.#server, jsonOf(message), signal)
      .then(
        () => undefined,
        (error: unknown) => {
          if (!isPipeError(error)) throw error
        },
      )
      .finally(() => this.#told.delete(told))
    this.#told.add(told)
    if ('method' in message && message.method === 'notifications/cancelled') this.#cancel(message.params)
  }

  #cancel(params: unknown): void {
    const id = typeof params === 'object' && params !== null && 'requestId' in params ? params.requestId : ''
    if (typeof id === 'string' || typeof id === 'number') this.#open.get(id)?.abort()
  }

  #hear(message: JsonObject): void {
    if (isMessage(message)) this.onmessage?.(message)
  }
}

function jsonOf(message: JSONRPCMessage): JsonObject {
  const json = parseJson(JSON.stringify(message))
  return isJsonObject(json) ? json : {}
}
