import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Line } from '../rows/line.ts'
import type { Theme } from '../rows/theme.ts'
import type { Screen } from '../state.ts'

/** The store's screen as it is drawn now, with the finished rows that are due. */
export interface Scene {
  readonly screen: Screen
  readonly theme: Theme
  /** Finished rows of the last `batch`, which are written once. */
  readonly finished: readonly Line[]
  readonly batch: number
  /** Whether the terminal's cursor stands where the user writes. */
  readonly hasCaret: boolean
}

/** Passes the store's screens on to the components. */
export interface SceneSource {
  /** Calls back at each new scene. Returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void
  /** Returns the scene, the same one until the next. */
  readonly scene: () => Scene
}

export const SceneContext = createContext<SceneSource | undefined>(undefined)

/** Returns what is to be shown now, and again at each change of it. */
export function useScene(): Scene {
  const source = useContext(SceneContext)
  if (source === undefined) throw new Error('a component is drawn without a scene')
  return useSyncExternalStore(source.subscribe, source.scene)
}
