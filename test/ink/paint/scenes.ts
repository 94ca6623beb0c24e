import { createElement, type ReactNode } from 'react'
import { FinishedRows } from '../../../src/ink/paint/finished-rows.tsx'
import { Rows } from '../../../src/ink/paint/rows.tsx'
import { SceneContext, type SceneSource } from '../../../src/ink/paint/scene.ts'
import type { Line } from '../../../src/ink/rows/line.ts'
import { themes } from '../../../src/ink/rows/theme.ts'
import type { Size } from '../../../src/ink/state.ts'
import { emptyScreen } from '../conversation.ts'

/** Creates a function that returns trees of finished rows, each written once, above live ones. */
export function createTrees(size: Size, hasCaret = false) {
  let batch = 0
  return (finished: readonly Line[], live: readonly Line[]): ReactNode => {
    const theme = themes.none
    const scene = { screen: emptyScreen(size), theme, finished, batch: ++batch, hasCaret }
    const source: SceneSource = { subscribe: () => () => undefined, scene: () => scene }
    const rows = createElement(Rows, { lines: live, theme, hasCaret })
    return createElement(SceneContext, { value: source }, createElement(FinishedRows), rows)
  }
}
