import type { Position, Snapshot, Watched, WatchedFact, WatchOptions } from '../../conversation.ts'
import type { AgentEvent } from '../../event.ts'
import { type Cursor, LogWatcher } from './log-watcher.ts'

/** Events kept for watchers, and characters of their texts. */
export interface LogLimits {
  readonly events: number
  readonly characters: number
}

const defaultLimits: LogLimits = { events: 10_000, characters: 8_000_000 }

/** How far a watcher that keeps pace may be behind. */
const longestLag: LogLimits = { events: 200, characters: 16_000 }

export interface EventLogOptions {
  /** Names this opening of the conversation; it is the id of its agent. */
  readonly run: string
  /** Describes the conversation after the last event. */
  readonly snapshot: () => Snapshot
  readonly limits?: LogLimits | undefined
}

interface Found {
  readonly cursor: Cursor
  readonly watched: Watched
}

/** The latest events of a conversation and the facts between them, for watchers that read at their own pace. */
export class EventLog {
  readonly #options: EventLogOptions
  readonly #limits: LogLimits
  /** Ends with the kept events. Begins with `#prefix` dropped ones, which are cut off now and then. */
  #events: AgentEvent[] = []
  #prefix = 0
  #dropped = 0
  #characters = 0
  /** Characters of all events so far. */
  #written = 0
  /** The facts behind events, by their number. */
  readonly #facts = new Map<number, WatchedFact[]>()
  #isEnded = false
  #failure: { readonly error: unknown } | undefined
  readonly #waiting = new Set<() => void>()
  readonly #pacing = new Set<LogWatcher>()
  /** Settles once those who keep pace have read enough: a turn and an elf may wait at once. */
  #catchingUp: { readonly done: Promise<void>; readonly settle: () => void } | undefined

  constructor(options: EventLogOptions) {
    this.#options = options
    this.#limits = options.limits ?? defaultLimits
  }

  append(event: AgentEvent): void {
    const length = lengthOf(event)
    this.#events.push(event)
    this.#characters += length
    this.#written += length
    while (this.#isOver()) this.#drop()
    this.#wake()
  }

  /** Tells a fact behind the last event. */
  tell(fact: WatchedFact): void {
    const last = this.#last
    const facts = this.#facts.get(last)
    if (facts === undefined) this.#facts.set(last, [fact])
    else facts.push(fact)
    this.#wake()
  }

  /** Waits for the watchers that keep pace; `undefined` while none is far behind. */
  pace(): Promise<void> | undefined {
    return this.#pacing.size > 0 && this.#isFarBehind() ? this.#untilCaughtUp() : undefined
  }

  /** Forgets all events, so that every watcher continues from a snapshot. */
  restart(): void {
    this.#dropped = this.#last + 1
    this.#events = []
    this.#prefix = 0
    this.#characters = 0
    this.#facts.clear()
    this.#wake()
  }

  /** Ends all watchers once they have read the kept events; with a failure, they then throw it. */
  end(failure?: { readonly error: unknown }): void {
    this.#isEnded = true
    this.#failure ??= failure
    this.#pacing.clear()
    this.#wake()
    this.wasRead()
  }

  /** Waits for no watcher any more. */
  release(): void {
    this.#pacing.clear()
    this.wasRead()
  }

  watch({ after, signal, keepsPace = false }: WatchOptions): AsyncIterableIterator<Watched, undefined> {
    const watcher = new LogWatcher(this, after === undefined ? undefined : this.#cursorOf(after), signal)
    if (keepsPace && !this.#isEnded) this.#pacing.add(watcher)
    return watcher
  }

  leave(watcher: LogWatcher): void {
    if (this.#pacing.delete(watcher)) this.wasRead()
  }

  /** Returns what follows the cursor, `undefined` if there is nothing yet. Returns a snapshot if it was dropped or no cursor is given. */
  read(at: Cursor | undefined): Found | undefined {
    if (at === undefined) return this.#snapshot(this.#facts.get(this.#last)?.length ?? 0)
    // What was told behind the last event is news to one who has watched before.
    if (at.number < this.#dropped) return this.#snapshot(0)
    const fact = this.#facts.get(at.number)?.[at.facts]
    if (fact !== undefined) {
      const cursor = { ...at, facts: at.facts + 1 }
      return { cursor, watched: { ...fact, position: this.#positionOf(cursor) } }
    }
    const event = this.#events[this.#prefix + at.number - this.#dropped]
    if (event === undefined) return undefined
    const cursor = { number: at.number + 1, facts: 0, characters: at.characters + lengthOf(event) }
    const isOwn = event.agentId === this.#options.run
    return { cursor, watched: { type: 'event', position: this.#positionOf(cursor), event, isOwn } }
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  get failure(): { readonly error: unknown } | undefined {
    return this.#failure
  }

  /** Calls back once, at the next event or the end. Returns a function that cancels it. */
  once(wake: () => void): () => void {
    this.#waiting.add(wake)
    return () => this.#waiting.delete(wake)
  }

  /** Goes on if the watchers that keep pace have read enough. */
  wasRead(): void {
    if (this.#catchingUp === undefined || this.#isFarBehind()) return
    this.#catchingUp.settle()
    this.#catchingUp = undefined
  }

  get #last(): number {
    return this.#dropped + this.#events.length - this.#prefix
  }

  #snapshot(facts: number): Found {
    const cursor = { number: this.#last, facts, characters: this.#written }
    const snapshot = this.#options.snapshot()
    return { cursor, watched: { type: 'snapshot', position: this.#positionOf(cursor), snapshot } }
  }

  #isFarBehind(): boolean {
    for (const { cursor } of this.#pacing) {
      if (cursor === undefined) continue
      if (this.#last - cursor.number > longestLag.events) return true
      if (this.#written - cursor.characters > longestLag.characters) return true
    }
    return false
  }

  #untilCaughtUp(): Promise<void> {
    if (this.#catchingUp === undefined) {
      let settle = () => {}
      const done = new Promise<void>((resolve) => {
        settle = resolve
      })
      this.#catchingUp = { done, settle }
    }
    return this.#catchingUp.done
  }

  #isOver(): boolean {
    const count = this.#events.length - this.#prefix
    return count > this.#limits.events || (count > 1 && this.#characters > this.#limits.characters)
  }

  #drop(): void {
    const event = this.#events[this.#prefix]
    if (event !== undefined) this.#characters -= lengthOf(event)
    this.#facts.delete(this.#dropped)
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

  #positionOf({ number, facts }: Cursor): Position {
    return facts === 0 ? `${this.#options.run}-${number}` : `${this.#options.run}-${number}.${facts}`
  }

  /** Returns the cursor at a position of this run; `undefined` for any other text. */
  #cursorOf(position: Position): Cursor | undefined {
    const begin = `${this.#options.run}-`
    const text = position.startsWith(begin) ? position.slice(begin.length) : ''
    const [, number = '', facts = '0'] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? []
    if (number === '' || Number(number) > this.#last) return undefined
    return { number: Number(number), facts: Number(facts), characters: this.#written }
  }
}

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
