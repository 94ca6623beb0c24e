import type { Clock } from '../clock.ts'
import { answerPause } from './attention.ts'
import { reduce } from './reduce.ts'
import type { ScreenEvent } from './screen-event.ts'
import type { Entry, Screen } from './state.ts'

/** What is drawn. */
export interface Shown {
  readonly screen: Screen
  /** Everything final, oldest first. Only grows; a new array whenever it has. */
  readonly transcript: Entry[]
}

/** What streams is shown at most this often, in milliseconds. */
const shownEvery = 80

/** Holds the screen outside of what draws it: events cost nothing there, and drawing never holds up an event. */
export class Store {
  readonly #clock: Clock
  readonly #timers = new Set<() => void>()
  readonly #listeners = new Set<() => void>()
  #screen: Screen
  #shown: Shown
  #shownAt = Number.NEGATIVE_INFINITY
  #isWaiting = false
  #isHeld = false

  constructor(screen: Screen, clock: Clock) {
    this.#clock = clock
    this.#screen = screen
    this.#shown = { screen, transcript: [] }
  }

  /** The screen as it is now, which may not be shown yet. */
  get screen(): Screen {
    return this.#screen
  }

  readonly shown = (): Shown => this.#shown

  /** Calls the listener whenever `shown` has changed. Returns how to stop that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes an event in. What a person did is shown at once; what the agent does waits its turn. */
  dispatch(event: ScreenEvent): void {
    this.#screen = reduce(this.#screen, event)
    if (event.type === 'resized') this.#isHeld = false
    if (event.type !== 'agent') this.#show()
    else if (!this.#isWaiting) this.#showSoon()
  }

  /** Shows nothing until the size is known: rows too wide would be broken by the terminal, and nobody knew how many to take back. */
  hold(): void {
    this.#isHeld = true
  }

  /** Shows what is still to be shown, and nothing after it. */
  close(): void {
    this.#isHeld = false
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

  /** Shows what a question may be answered with from this moment on. */
  #openLater(at: number): void {
    // A timer may come a little early.
    this.#after(answerPause, () =>
      this.dispatch({ type: 'tick', now: Math.max(at, this.#clock.monotonic()) }),
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
    if (this.#isHeld) return
    const at = this.#clock.monotonic()
    this.#shownAt = at
    const { finished, questions } = this.#screen
    this.#screen = reduce(this.#screen, { type: 'shown', at })
    if (questions[0] !== undefined && questions[0].shownAt === undefined) this.#openLater(at + answerPause)
    const { transcript } = this.#shown
    this.#shown = {
      screen: this.#screen,
      transcript: finished.length === 0 ? transcript : [...transcript, ...finished],
    }
    for (const listener of this.#listeners) listener()
  }
}
