import type { Clock } from '../clock.ts'
import { isPipeError } from '../error.ts'
import type { Written } from './prompt.ts'
import type { Store } from './store.ts'
import { tickUntil } from './tick.ts'

export interface ErrandsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly note: (level: 'info' | 'error', text: string) => void
  /** Sends what was written while something was done. */
  readonly submit: (written: Written) => void
}

/** Work for the person that takes its time and is no turn. */
export interface Errand {
  /** `undoing`. */
  readonly doing: string
  /** What is said where it was stopped. */
  readonly stopped: string
  /** Gives what the person should know of it. Throws `PipeError`; `aborted` where the signal kept it from doing anything. */
  readonly act: (signal: AbortSignal) => Promise<string | undefined>
}

/**
 * Errands, one at a time, each shown from its first moment. What is sent meanwhile waits, and goes back to the prompt where the
 * errand fails.
 */
export class Errands {
  readonly #options: ErrandsOptions
  #stop = new AbortController()
  #ended: Promise<void> = Promise.resolve()
  #isClosing = false

  constructor(options: ErrandsOptions) {
    this.#options = options
  }

  get isBusy(): boolean {
    return this.#options.store.screen.errand !== undefined
  }

  /** Rejects for a fault of the program. */
  run(errand: Errand): Promise<void> {
    const { store, clock } = this.#options
    this.#stop = new AbortController()
    store.dispatch({ type: 'errand_begun', doing: errand.doing, at: clock.monotonic() })
    const ended = this.#run(errand, this.#stop.signal)
    this.#ended = ended.catch(() => undefined)
    return ended
  }

  /** Has this sent when the errand has ended; until then it is shown as `shown`. */
  postpone(written: Written, shown: string): void {
    this.#options.store.dispatch({ type: 'postponed', waiting: { text: shown, written } })
  }

  /** Stops what has not yet begun to do anything; the rest is done in a moment. */
  stop(): void {
    this.#stop.abort()
  }

  /** Waits for what is being done. Nothing is sent after it. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#ended
  }

  async #run({ act, stopped }: Errand, stop: AbortSignal): Promise<void> {
    const { store, note, submit } = this.#options
    const over = new AbortController()
    const ticking = tickUntil(over.signal, this.#options)
    let isDone = false
    try {
      const told = await act(stop)
      if (told !== undefined) note('info', told)
      isDone = !this.#isClosing
    } catch (error) {
      if (!isPipeError(error)) throw error
      if (error.code === 'aborted') note('info', stopped)
      else note('error', error.message)
    } finally {
      over.abort()
      await ticking
      const later = store.screen.errand?.later ?? []
      store.dispatch({ type: 'errand_ended', isDone })
      if (isDone) for (const { written } of later) submit(written)
    }
  }
}
