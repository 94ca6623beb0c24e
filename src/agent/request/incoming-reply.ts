import type { Clock } from '../../clock.ts'
import { isPipeError, type PipeError } from '../../error.ts'
import type { StreamEvent } from '../../event.ts'
import type { Stream } from '../../provider.ts'

/**
 * Maximum characters passed on before timers and keys get their turn, because a fast reply never pauses. Each event counts as
 * `eventWorth` more.
 */
const maxAtOnce = 65_536
const eventWorth = 256

export interface ListenOptions {
  readonly clock: Clock
  /** Called at the first event. */
  readonly onFirst: () => void
}

/**
 * The events of a reply as they arrive. A turn yields it once, and its consumer pulls the events from here: each would otherwise
 * pass every generator in between.
 */
export class IncomingReply {
  readonly type = 'reply'
  readonly #stream: Pick<Stream, 'next'>
  readonly #listening: ListenOptions
  readonly #shown = new Set<string>()
  #failure: { readonly error: unknown } | undefined
  #passed = 0

  constructor(stream: Pick<Stream, 'next'>, listening: ListenOptions) {
    this.#stream = stream
    this.#listening = listening
  }

  /** The ids of the blocks that were pulled. */
  get shown(): ReadonlySet<string> {
    return this.#shown
  }

  /** Returns the next event, or `undefined` at the end. Never throws: `failure` does. */
  async next(): Promise<StreamEvent | undefined> {
    if (this.#passed >= maxAtOnce) {
      this.#passed = 0
      await yieldToOthers(this.#listening.clock)
    }
    try {
      const { value } = await this.#stream.next()
      if (value !== undefined) this.#note(value)
      return value
    } catch (error) {
      this.#failure = { error }
      return undefined
    }
  }

  /** Returns the error that ended the reply, if any. Throws an error that is a bug. */
  failure(): PipeError | undefined {
    if (this.#failure === undefined) return undefined
    const { error } = this.#failure
    if (isPipeError(error)) return error
    throw error
  }

  #note(event: StreamEvent): void {
    if (this.#shown.size === 0) this.#listening.onFirst()
    this.#shown.add(event.type === 'tool_call_end' ? event.call.id : event.id)
    this.#passed += eventWorth + ('delta' in event ? event.delta.length : 0)
  }
}

/** Resolves after pending timers, keys and signals were handled. */
function yieldToOthers(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.after(0, resolve)
  })
}
