import type { ReadableStreamDefaultController, UnderlyingSource } from 'node:stream/web'
import type { Clock } from '../clock.ts'
import { serverLimits } from './bounds/server-limits.ts'

/** One server-sent event. */
export interface SentEvent {
  /** The place to resume at, as `Last-Event-ID` gives it. One line. */
  readonly id?: string | undefined
  /** One line. */
  readonly event?: string
  /** Any text; each of its lines becomes one of the event. */
  readonly data: string
}

export interface EventStreamOptions {
  readonly clock: Clock
  /** Fires when the client goes away or the server ends. The events must end on it too: `return` waits for a pending `next`. */
  readonly signal: AbortSignal
  /** Begins with a comment, because the first event is late. */
  readonly isLate?: boolean
}

export const eventStreamType = 'text/event-stream'

/** nginx and others that know its header hold an answer back until a buffer is full, unless it says no. */
const headers = { 'content-type': eventStreamType, 'cache-control': 'no-store', 'x-accel-buffering': 'no' }

const ping = ': ping\n\n'

/**
 * Answers with events as they are pulled: one that the client has not taken delays only this client, and is the only one in memory. An
 * error of `next` breaks the connection, so that no client takes it for the end. `return` is called once, however the stream ends.
 */
export function eventStream(
  events: AsyncIterator<SentEvent, undefined>,
  options: EventStreamOptions,
): Response {
  return new Response(new ReadableStream(new PulledEvents(events, options)), { headers })
}

class PulledEvents implements UnderlyingSource<Uint8Array> {
  readonly #events: AsyncIterator<SentEvent, undefined>
  readonly #options: EventStreamOptions
  readonly #encoder = new TextEncoder()
  #release: () => void = () => undefined
  #ended: Promise<void> | undefined
  #isCanceled = false

  constructor(events: AsyncIterator<SentEvent, undefined>, options: EventStreamOptions) {
    this.#events = events
    this.#options = options
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { clock, signal, isLate = false } = this.#options
    if (isLate) controller.enqueue(this.#encoder.encode(ping))
    const stopPings = clock.every(serverLimits.ping, () => {
      if ((controller.desiredSize ?? 0) > 0) controller.enqueue(this.#encoder.encode(ping))
    })
    const leave = () => {
      if (this.#ended !== undefined) return
      this.#end().then(
        () => {
          if (!this.#isCanceled) controller.close()
        },
        (error) => controller.error(error),
      )
    }
    this.#release = () => {
      stopPings()
      signal.removeEventListener('abort', leave)
    }
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      const { done, value } = await this.#events.next()
      if (this.#ended !== undefined) return
      if (done !== true) return controller.enqueue(this.#encoder.encode(formatEvent(value)))
      await this.#end()
      if (!this.#isCanceled) controller.close()
    } catch (error) {
      if (this.#ended !== undefined) return
      await this.#end()
      throw error
    }
  }

  cancel(): Promise<void> {
    this.#isCanceled = true
    return this.#end()
  }

  /** Also called while a pull is pending, whose result then counts no more. */
  #end(): Promise<void> {
    if (this.#ended === undefined) {
      this.#release()
      this.#ended = Promise.resolve(this.#events.return?.()).then(() => undefined)
    }
    return this.#ended
  }
}

/** Formats an event. Its data is split at every line end that a reader knows, so that a text cannot begin an event of its own. */
export function formatEvent({ id, event, data }: SentEvent): string {
  const head = `${event === undefined ? '' : `event: ${oneLine(event)}\n`}${id === undefined ? '' : `id: ${oneLine(id)}\n`}`
  // Most data is a line of JSON.
  if (!/[\r\n]/.test(data)) return `${head}data: ${data}\n\n`
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  return `${head}${lines.join('')}\n`
}

/** A reader also ignores an id that holds a NUL. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\0]+/g, ' ')
}
