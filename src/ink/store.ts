import type { Clock } from '../clock.ts'
import { JoinedDeltas } from './conversation/joined-deltas.ts'
import { reduce } from './reduce/reduce.ts'
import type { ScreenEvent } from './reduce/screen-event.ts'
import type { Entry, Screen } from './state.ts'

/** A screen to draw. */
export interface Shown {
  readonly screen: Screen
  /** Entries that became final since the screen was last shown, oldest first. */
  readonly finished: readonly Entry[]
}

/** Minimum time in ms between two drawings of streamed changes. */
const shownEvery = 80

/** Time in ms since the last drawing after which a tick draws. */
const tickGap = 120

/** Holds the screen apart from the code that draws it, so that drawing never delays an event. */
export class Store {
  readonly #clock: Clock
  readonly #isReady: () => boolean
  readonly #timers = new Set<() => void>()
  readonly #listeners = new Set<(shown: Shown) => void>()
  #screen: Screen
  #shown: Shown
  /** Events since the screen was last shown. */
  #unshown: ScreenEvent[] = []
  /** Deltas that are not part of the screen yet. */
  readonly #deltas = new JoinedDeltas()
  #shownAt = Number.NEGATIVE_INFINITY
  /** The next drawing, and whether only pending work comes before it. */
  #next: { readonly isSoon: boolean; readonly stop: () => void } | undefined
  /** Time at which the question arms, for which a timer is already set. */
  #opensAt: number | undefined

  /** `isReady` returns whether the terminal can be drawn to. */
  constructor(screen: Screen, clock: Clock, isReady: () => boolean = () => true) {
    this.#clock = clock
    this.#isReady = isReady
    this.#screen = screen
    this.#shown = { screen, finished: [] }
  }

  /** The current screen, which may not be shown yet. */
  get screen(): Screen {
    this.#applyDeltas()
    return this.#screen
  }

  readonly shown = (): Shown => this.#shown

  /** Calls the listener each time the screen is shown. Returns a function that unsubscribes it. */
  readonly subscribe = (listener: (shown: Shown) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Applies an event. Shows actions of the user as soon as all pending work is done, and throttles agent events. */
  dispatch(event: ScreenEvent): void {
    if (!this.#deltas.take(event)) {
      this.#applyDeltas()
      this.#apply(event)
      this.#deltas.follow(event)
    }
    if (event.type === 'pressed') return
    if (event.type !== 'agent' && event.type !== 'elf') this.hurry()
    else if (this.#next === undefined) this.#showIn(this.#shownAt + shownEvery - this.#clock.monotonic())
  }

  /** Shows the current screen as soon as all pending work is done. */
  hurry(): void {
    this.#showIn(0)
  }

  /** Shows the passage of time, unless the screen was shown a moment ago: what streams redraws it anyway. */
  tick(now: number): void {
    if (now - this.#shownAt >= tickGap) this.dispatch({ type: 'tick', now })
  }

  /** Applies an event to the screen last shown, before all events that came since. */
  amend(event: ScreenEvent): void {
    this.#applyDeltas()
    const amended = reduce(this.#shown.screen, event)
    this.#screen = this.#unshown.reduce(reduce, amended)
  }

  /** Shows the current screen now. */
  show(): void {
    this.#next?.stop()
    this.#next = undefined
    if (!this.#isReady()) return
    const at = this.#clock.monotonic()
    this.#shownAt = at
    this.#applyDeltas()
    const { finished } = this.#screen
    this.#screen = reduce(this.#screen, { type: 'shown', at })
    this.#openLater(at)
    this.#shown = { screen: this.#screen, finished }
    this.#unshown = []
    for (const listener of this.#listeners) listener(this.#shown)
  }

  /** Shows the current screen and stops all timers. */
  close(): void {
    this.show()
    for (const stop of this.#timers) stop()
  }

  #applyDeltas(): void {
    const joined = this.#deltas.join()
    if (joined !== undefined) this.#apply(joined)
  }

  #apply(event: ScreenEvent): void {
    this.#screen = reduce(this.#screen, event)
    this.#unshown.push(event)
  }

  /** Shows the screen after `ms`, in place of a drawing that is due later. */
  #showIn(ms: number): void {
    if (this.#next?.isSoon === true) return
    this.#next?.stop()
    const wait = Math.max(0, ms)
    this.#next = { isSoon: wait === 0, stop: this.#after(wait, () => this.show()) }
  }

  /** Schedules a redraw for the moment from which keys answer the question. */
  #openLater(now: number): void {
    const arming = this.#screen.questions[0]?.arming
    if (arming?.type !== 'settling' || arming.opensAt <= now || arming.opensAt === this.#opensAt) return
    const { opensAt } = arming
    this.#opensAt = opensAt
    // A timer may fire a little early.
    this.#after(opensAt - now, () =>
      this.dispatch({ type: 'tick', now: Math.max(opensAt, this.#clock.monotonic()) }),
    )
  }

  /** Calls `action` after `ms`, unless the store is closed or the returned function called before. */
  #after(ms: number, action: () => void): () => void {
    const cancel = this.#clock.after(ms, () => {
      this.#timers.delete(stop)
      action()
    })
    const stop = () => {
      this.#timers.delete(stop)
      cancel()
    }
    this.#timers.add(stop)
    return stop
  }
}
