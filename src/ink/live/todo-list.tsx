import { Rows } from '../paint/rows.tsx'
import { useScene } from '../paint/scene.ts'
import { drawPlan } from './live-rows.ts'

/** Shows what is to be done in this turn. */
export function TodoList() {
  const { screen, theme } = useScene()
  return <Rows theme={theme} lines={drawPlan(screen)} />
}
