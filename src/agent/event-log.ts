import type { AgentEvent } from '../event.ts'
import type { Position, Snapshot, Watched, WatchOptions } from '../shared-conversation.ts'

/** Events kept for watchers, and characters of their texts. */
export interface LogLimits {
  readonly events: number
  readonly characters: number
}

const defaultLimits: LogLimits = { events: 10_000, characters: 8_000_000 }

export interface EventLogOptions {
  /** Names this opening of the conversation. */
  readonly run: string
  /** Describes the conversation after the last event. */
  readonly snapshot: () => Snapshot
  readonly limits?: LogLimits
}

interface Found {
  /** The number of the last event that it includes. */
  readonly number: number
  readonly watched: Watched
}

/** The latest events of a conversation, for watchers that read at their own pace. */
export class EventLog {
  readonly #options: EventLogOptions
  readonly #limits: LogLimits
  /** Ends with the kept events. Begins with `#prefix` dropped ones, which are cut off now and then. */
  #events: AgentEvent[] = []
  #prefix = 0
  #dropped = 0
  #characters = 0
  #isEnded = false
  readonly #waiting = new Set<() => void>()

  constructor(options: EventLogOptions) {
    this.#options = options
    this.#limits = options.limits ?? defaultLimits
  }

  append(event: AgentEvent): void {
    this.#events.push(event)
    this.#characters += lengthOf(event)
    while (this.#isOver()) this.#drop()
    this.#wake()
  }

  /** Forgets all events, so that every watcher continues from a snapshot. */
  restart(): void {
    this.#dropped = this.#last + 1
    this.#events = []
    this.#prefix = 0
    this.#characters = 0
    this.#wake()
  }

  /** Ends all watchers once they have read the kept events. */
  end(): void {
    this.#isEnded = true
    this.#wake()
  }

  watch({ after, signal }: WatchOptions): AsyncIterableIterator<Watched, undefined> {
    return new Watcher(this, after === undefined ? undefined : this.#numberOf(after), signal)
  }

  /** Returns the event after this number, `undefined` if there is none yet. Returns a snapshot if it was dropped or no number is given. */
  read(after: number | undefined): Found | undefined {
    const last = this.#last
    if (after === undefined || after < this.#dropped) {
      const watched = { type: 'snapshot', snapshot: this.#options.snapshot() } as const
      return { number: last, watched: { ...watched, position: this.#positionOf(last) } }
    }
    const event = this.#events[this.#prefix + after - this.#dropped]
    if (event === undefined) return undefined
    const number = after + 1
    return { number, watched: { type: 'event', position: this.#positionOf(number), event } }
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Calls back once, at the next event or the end. Returns a function that cancels it. */
  once(wake: () => void): () => void {
    this.#waiting.add(wake)
    return () => this.#waiting.delete(wake)
  }

  get #last(): number {
    return this.#dropped + this.#events.length - this.#prefix
  }

  #isOver(): boolean {
    const count = this.#events.length - this.#prefix
    return count > this.#limits.events || (count > 1 && this.#characters > this.#limits.characters)
  }

  #drop(): void {
    const event = this.#events[this.#prefix]
    if (event !== undefined) this.#characters -= lengthOf(event)
    this.#prefix++
    this.#dropped++
    // Cuts off half of the list at once, so that each event is moved once at most.
    if (this.#prefix < this.#events.length / 2) return
    this.#events = this.#events.slice(this.#prefix)
    this.#prefix = 0
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }

  #positionOf(number: number): Position {
    return `${this.#options.run}-${number}`
  }

  /** Returns the number in a position of this run; `undefined` for any other text. */
  #numberOf(position: Position): number | undefined {
    const begin = `${this.#options.run}-`
    const text = position.startsWith(begin) ? position.slice(begin.length) : ''
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
    return number <= this.#last ? number : undefined
  }
}

class Watcher implements AsyncIterableIterator<Watched, undefined> {
  readonly #log: EventLog
  readonly #signal: AbortSignal | undefined
  /** Found and not yet returned. */
  #found: Found | undefined
  /** Number of the event read last; `undefined` if that is no longer known. */
  #read: number | undefined
  #isOver = false
  readonly #wakes = new Set<() => void>()

  constructor(log: EventLog, read: number | undefined, signal: AbortSignal | undefined) {
    this.#log = log
    this.#read = read
    this.#signal = signal
    // Takes the snapshot now, not at the first pull.
    if (read === undefined) this.#found = log.read(read)
  }

  async next(): Promise<IteratorResult<Watched, undefined>> {
    for (;;) {
      if (this.#isOver || this.#signal?.aborted === true) return ended
      const found = this.#found ?? this.#log.read(this.#read)
      this.#found = undefined
      if (found !== undefined) {
        this.#read = found.number
        return { done: false, value: found.watched }
      }
      if (this.#log.isEnded) return ended
      await this.#wait()
    }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#isOver = true
    for (const wake of this.#wakes) wake()
    return ended
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async #wait(): Promise<void> {
    let wake = () => {}
    const woken = new Promise<void>((resolve) => {
      wake = resolve
    })
    const cancel = this.#log.once(wake)
    this.#signal?.addEventListener('abort', wake)
    this.#wakes.add(wake)
    await woken
    this.#wakes.delete(wake)
    this.#signal?.removeEventListener('abort', wake)
    cancel()
  }
}

const ended: IteratorReturnResult<undefined> = { done: true, value: undefined }

/** Characters of an event's text. Other events count 0. */
function lengthOf(event: AgentEvent): number {
  switch (event.type) {
    case 'text_delta':
    case 'thinking_delta':
    case 'tool_call_delta':
      return event.delta.length
    case 'tool_output':
      return event.chunk.length
    default:
      return 0
  }
}
