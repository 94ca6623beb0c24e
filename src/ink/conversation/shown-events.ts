import type { AgentEvent } from '../../event.ts'
import type { CleanEvents } from '../clean.ts'
import { modelStatus } from '../status.ts'
import type { ShownOptions } from './shown-options.ts'

/** Characters that the text may be ahead of the screen. Each line end counts for `lineWeight` more. */
const longestLead = 32_000
const lineWeight = 80

/** Shows the events of a conversation, no faster than the screen draws them. */
export class ShownEvents {
  readonly #options: Pick<ShownOptions, 'store' | 'clock' | 'api' | 'drained'>
  /** Weighted characters since the screen last caught up. */
  #lead = 0

  constructor(options: Pick<ShownOptions, 'store' | 'clock' | 'api' | 'drained'>) {
    this.#options = options
  }

  /** Shows an event of the agent. */
  see(event: AgentEvent, cleaning: CleanEvents): void {
    const { store, clock } = this.#options
    const at = clock.monotonic()
    for (const cleaned of cleaning.take(event)) {
      this.#followModel(cleaned)
      store.dispatch({ type: 'agent', event: cleaned, at })
    }
  }

  /** Shows an event of an elf. */
  seeElf(event: AgentEvent): void {
    const { store, clock } = this.#options
    store.dispatch({ type: 'elf', event, at: clock.monotonic() })
  }

  /** Waits for the screen if the text is far ahead of it. Otherwise Esc would take effect only after all pending rows. */
  keepPace(event: AgentEvent, signal: AbortSignal): Promise<void> | undefined {
    const { store, drained } = this.#options
    if (drained === undefined || event.type !== 'text_delta') return undefined
    this.#lead += event.delta.length + lineWeight * (event.delta.split('\n').length - 1)
    if (this.#lead < longestLead) return undefined
    this.#lead = 0
    if (signal.aborted) return undefined
    store.hurry()
    return settledOrAborted(drained(), signal)
  }

  /** Shows the model that answers now and its context size, which may only become known now. */
  #followModel(event: AgentEvent): void {
    const { store, api } = this.#options
    const model = answering(event) ?? (event.type === 'round_end' ? store.screen.status.model : undefined)
    if (model === undefined) return
    const { status } = store.screen
    const now = modelStatus(model, api)
    if (model === status.model && now.contextWindow === status.contextWindow) return
    store.dispatch({ type: 'status', status: now })
  }
}

/** Returns the `provider/model` that answers from this event on. */
function answering(event: AgentEvent): string | undefined {
  if (event.type === 'fallback') return event.to
  return event.type === 'round_start' ? `${event.provider}/${event.model}` : undefined
}

/** Resolves with the promise, or as soon as the signal fires. */
export async function settledOrAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const stop = new AbortController()
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true, signal: stop.signal })
  })
  await Promise.race([promise, aborted])
  stop.abort()
}
