import { useSyncExternalStore } from 'react'

/** Runs an action before the browser draws its next frame. */
export type NextFrame = (action: () => void) => void

/** A value that changes, and those who look at it. Changes between two frames are shown at once. */
export class Store<T> {
  #value: T
  #isDue = false
  readonly #nextFrame: NextFrame
  readonly #watchers = new Set<() => void>()

  constructor(value: T, nextFrame: NextFrame) {
    this.#value = value
    this.#nextFrame = nextFrame
  }

  readonly get = (): T => this.#value

  update(change: (value: T) => T): void {
    const changed = change(this.#value)
    if (changed === this.#value) return
    this.#value = changed
    if (this.#isDue) return
    this.#isDue = true
    this.#nextFrame(() => {
      this.#isDue = false
      for (const tell of this.#watchers) tell()
    })
  }

  readonly subscribe = (tell: () => void): (() => void) => {
    this.#watchers.add(tell)
    return () => void this.#watchers.delete(tell)
  }
}

/** Draws a component again whenever the value of a store changes. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get)
}
