import type { Clock } from '../clock.ts'
import { reduce } from './reduce.ts'
import type { ScreenEvent } from './screen-event.ts'
import type { Entry, Screen } from './state.ts'

/** What is drawn. */
export interface Shown {
  readonly screen: Screen
  /** Entries that became final since the screen was last shown, oldest first. */
  readonly finished: readonly Entry[]
}

/** What streams is shown at most this often, in milliseconds. */
const shownEvery = 80

/** Holds the screen outside of what draws it: events cost nothing there, and drawing never holds up an event. */
export class Store {
  readonly #clock: Clock
  readonly #isReady: () => boolean
  readonly #timers = new Set<() => void>()
  readonly #listeners = new Set<(shown: Shown) => void>()
  #screen: Screen
  #shown: Shown
  /** What came since the screen was last shown. */
  #unshown: ScreenEvent[] = []
  #shownAt = Number.NEGATIVE_INFINITY
  #isWaiting = false
  /** The moment that a timer waits for. */
  #opensAt: number | undefined

  /** `isReady` says whether there is anywhere to show it. */
  constructor(screen: Screen, clock: Clock, isReady: () => boolean = () => true) {
    this.#clock = clock
    this.#isReady = isReady
    this.#screen = screen
    this.#shown = { screen, finished: [] }
  }

  /** The screen as it is now, which may not be shown yet. */
  get screen(): Screen {
    return this.#screen
  }

  readonly shown = (): Shown => this.#shown

  /** Calls the listener with whatever is shown from now on. Returns how to stop that. */
  readonly subscribe = (listener: (shown: Shown) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes an event in. What a person did is shown at once; what the agent does waits its turn. */
  dispatch(event: ScreenEvent): void {
    this.#screen = reduce(this.#screen, event)
    this.#unshown.push(event)
    if (event.type === 'pressed') return
    if (event.type !== 'agent') this.#show()
    else if (!this.#isWaiting) this.#showSoon()
  }

  /** Changes the screen that was last shown, as if this event had come right after it. */
  amend(event: ScreenEvent): void {
    const amended = reduce(this.#shown.screen, event)
    this.#screen = this.#unshown.reduce(reduce, amended)
  }

  /** Shows what is still to be shown, and nothing after it. */
  close(): void {
    this.#show()
    for (const stop of this.#timers) stop()
  }

  #showSoon(): void {
    const wait = this.#shownAt + shownEvery - this.#clock.monotonic()
    if (wait <= 0) {
      this.#show()
      return
    }
    this.#isWaiting = true
    this.#after(wait, () => {
      this.#isWaiting = false
      this.#show()
    })
  }

  /** Shows the moment from which keys answer the question. */
  #openLater(now: number): void {
    const arming = this.#screen.questions[0]?.arming
    if (arming?.type !== 'settling' || arming.opensAt <= now || arming.opensAt === this.#opensAt) return
    const { opensAt } = arming
    this.#opensAt = opensAt
    // A timer may come a little early.
    this.#after(opensAt - now, () =>
      this.dispatch({ type: 'tick', now: Math.max(opensAt, this.#clock.monotonic()) }),
    )
  }

  /** Acts after a time, unless it is closed before. */
  #after(ms: number, action: () => void): void {
    const stop = this.#clock.after(ms, () => {
      this.#timers.delete(stop)
      action()
    })
    this.#timers.add(stop)
  }

  #show(): void {
    if (!this.#isReady()) return
    const at = this.#clock.monotonic()
    this.#shownAt = at
    const { finished } = this.#screen
    this.#screen = reduce(this.#screen, { type: 'shown', at })
    this.#openLater(at)
    this.#shown = { screen: this.#screen, finished }
    this.#unshown = []
    for (const listener of this.#listeners) listener(this.#shown)
  }
}
