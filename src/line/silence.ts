import type { Clock } from '../clock.ts'
import { isPipeError } from '../error.ts'
import type { AgentEvent } from '../event.ts'

/** Silence in milliseconds before a notice. */
const noticeAfterMs = 20_000

/** Tells the user, once per silence, that the model has stopped sending in the middle of a reply. */
export class SilenceWatch {
  readonly #clock: Clock
  readonly #say: (line: string) => void
  readonly #over = new AbortController()
  /** Time of the last sign of the model, or of the next retry; `undefined` while no reply is due. */
  #heardAt: number | undefined
  #told = false

  constructor(clock: Clock, say: (line: string) => void) {
    this.#clock = clock
    this.#say = say
    void this.#watch()
  }

  see(event: AgentEvent): void {
    this.#told = false
    if (!modelSpeaks.has(event.type)) this.#heardAt = undefined
    else this.#heardAt = this.#clock.monotonic() + (event.type === 'retry' ? event.waitMs : 0)
  }

  close(): void {
    this.#over.abort()
  }

  async #watch(): Promise<void> {
    try {
      for (let waitMs = noticeAfterMs; ; waitMs = this.#look())
        await this.#clock.sleep(waitMs, this.#over.signal)
    } catch (error) {
      if (!isPipeError(error)) throw error
    }
  }

  /** Returns the milliseconds until the next look. */
  #look(): number {
    if (this.#heardAt === undefined || this.#told) return noticeAfterMs
    const silentMs = this.#clock.monotonic() - this.#heardAt
    if (silentMs < noticeAfterMs) return noticeAfterMs - silentMs
    this.#told = true
    this.#say(`pipe: no word from the model for ${noticeAfterMs / 1_000} s; waiting (Ctrl+C stops)\n`)
    return noticeAfterMs
  }
}

/** Events after which the model should send more. */
const modelSpeaks: ReadonlySet<AgentEvent['type']> = new Set([
  'round_start',
  'text_delta',
  'thinking_delta',
  'tool_call_begin',
  'tool_call_delta',
  'tool_call_end',
  'fallback',
  'retry',
])
