import { oneLine } from '../characters/one-line.ts'
import type { Clock } from '../clock.ts'
import { PipeError } from '../error.ts'
import { isJsonObject, type JsonObject, type JsonValue, textField } from '../json-value.ts'
import type { CommandRunner, ProgramCall } from '../machine/running-command.ts'
import { PipedServer } from '../process/piped-server.ts'
import { frameOf, MessageFrames } from './message-frames.ts'

/** Most bytes that a server may send between two pieces of work. One that sends more floods. */
const mostUnasked = 16 * 1024 * 1024

export interface LinkParts {
  readonly commands: Pick<CommandRunner, 'start'>
  readonly clock: Clock
  readonly program: ProgramCall
  /** Answers what the server asks for. `undefined`: it is told that nobody knows the method. */
  readonly onAsk: (method: string, params: JsonValue | undefined) => JsonValue | undefined
  readonly onNews: (method: string, params: JsonValue | undefined) => void
  readonly onEnd: () => void
}

/** An error that a server answered with. */
export class ServerRefusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

interface Waiting {
  readonly resolve: (result: JsonValue) => void
  readonly reject: (error: Error) => void
}

/** Speaks JSON-RPC to a language server that it starts. */
export class ProtocolLink {
  readonly #server: PipedServer
  readonly #parts: LinkParts
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #unasked = 0
  #fault: string | undefined
  readonly #over = new AbortController()

  constructor(parts: LinkParts) {
    this.#parts = parts
    const frames = new MessageFrames((message) => this.#receive(message))
    this.#server = new PipedServer({
      ...parts,
      take: (chunk) => this.#take(frames, chunk),
      onEnd: () => this.#end(),
    })
  }

  /** Says why it ended; `undefined` while it runs. */
  get reason(): string | undefined {
    if (this.#fault !== undefined) return this.#fault
    const { ended } = this.#server
    if (ended === undefined) return this.#over.signal.aborted ? 'it was closed' : undefined
    const { exit, stderr } = ended
    const how = exit.signal === null ? `exited with code ${exit.exitCode}` : `was ended by ${exit.signal}`
    const words = stderr.split('\n').findLast((line) => line.trim() !== '')
    return `it ${how}${words === undefined ? '' : `: ${oneLine(words, 200)}`}`
  }

  /** Fires when the server has ended. */
  get ended(): AbortSignal {
    return this.#over.signal
  }

  /** Forgets how much the server has sent so far: it did what it should. */
  settle(): void {
    this.#unasked = 0
  }

  /** Throws `tool` if it cannot start. */
  start(): Promise<void> {
    return this.#server.start()
  }

  /** Sends a request. Throws `ServerRefusal`, `tool` once the server has ended, and `aborted`. */
  request(method: string, params: JsonValue, signal: AbortSignal): Promise<JsonValue> {
    return new Promise((resolve, reject) => {
      this.#lastId += 1
      const id = this.#lastId
      const onAbort = () => {
        this.#waiting.delete(id)
        this.notify('$/cancelRequest', { id })
        reject(new PipeError('aborted', 'interrupted'))
      }
      const settled = () => signal.removeEventListener('abort', onAbort)
      if (signal.aborted) return reject(new PipeError('aborted', 'interrupted'))
      this.#waiting.set(id, {
        resolve: (result) => {
          settled()
          resolve(result)
        },
        reject: (error) => {
          settled()
          reject(error)
        },
      })
      signal.addEventListener('abort', onAbort, { once: true })
      if (!this.#send({ jsonrpc: '2.0', id, method, params })) this.#failAll()
    })
  }

  notify(method: string, params: JsonValue): void {
    this.#send({ jsonrpc: '2.0', method, params })
  }

  async close(): Promise<void> {
    await this.#server.close()
  }

  #send(message: JsonObject): boolean {
    return this.#server.write(frameOf(message))
  }

  #take(frames: MessageFrames, chunk: Uint8Array): boolean {
    this.#unasked += chunk.length
    if (this.#unasked > mostUnasked) this.#fault ??= 'it sent too much output'
    else if (!frames.push(chunk)) this.#fault ??= 'it sent an invalid message, or one that is too long'
    return this.#fault === undefined
  }

  #receive(message: JsonObject): void {
    if (this.#fault !== undefined) return
    const { id, method, params } = message
    if (typeof method === 'string') {
      if (typeof id === 'number' || typeof id === 'string') this.#answer(id, method, params)
      else this.#parts.onNews(method, params)
      return
    }
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined
    if (typeof id !== 'number' || waiting === undefined) return
    this.#waiting.delete(id)
    const { error, result } = message
    if (error === undefined || error === null) waiting.resolve(result ?? null)
    else waiting.reject(refusalOf(error))
  }

  #answer(id: number | string, method: string, params: JsonValue | undefined): void {
    const result = this.#parts.onAsk(method, params)
    const unknown = { code: -32_601, message: `unknown method ${method.slice(0, 100)}` }
    this.#send({ jsonrpc: '2.0', id, ...(result === undefined ? { error: unknown } : { result }) })
  }

  #end(): void {
    this.#over.abort()
    this.#failAll()
    this.#parts.onEnd()
  }

  #failAll(): void {
    const failure = new PipeError('tool', this.reason ?? 'it has ended')
    for (const { reject } of this.#waiting.values()) reject(failure)
    this.#waiting.clear()
  }
}

function refusalOf(error: JsonValue): ServerRefusal {
  const code = isJsonObject(error) ? error['code'] : undefined
  const message = textField(error, 'message') ?? 'it refuses'
  return new ServerRefusal(typeof code === 'number' ? code : 0, oneLine(message, 300))
}
