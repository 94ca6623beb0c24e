import type { Clock } from '../../clock.ts'
import type { FrontendApi } from '../../frontend/conversation-view.ts'
import type { Store } from '../store.ts'
import { tickUntil } from '../tick.ts'

interface TickingOptions {
  /** Tells what hooks do now. */
  readonly api: Pick<FrontendApi, 'hookWork'>
  readonly store: Store
  readonly clock: Clock
  readonly fail: (error: unknown) => void
}

/** Redraws elapsed times while something works. */
export class Ticking {
  readonly #options: TickingOptions
  #over: AbortController | undefined

  constructor(options: TickingOptions) {
    this.#options = options
  }

  set(isOn: boolean): void {
    if (isOn === (this.#over !== undefined)) return
    this.#over?.abort()
    this.#over = isOn ? new AbortController() : undefined
    const { store, api, fail } = this.#options
    const look = () => showHookWork(store, api.hookWork?.())
    look()
    if (this.#over !== undefined) tickUntil(this.#over.signal, { ...this.#options, look }).catch(fail)
  }
}

/** Hooks run outside of the events of a turn, so the screen looks whether some do. */
function showHookWork(store: Store, hookWork: string | undefined): void {
  if (store.screen.status.hookWork !== hookWork) store.dispatch({ type: 'status', status: { hookWork } })
}
