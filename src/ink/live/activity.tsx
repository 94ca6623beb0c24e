import { Rows } from '../paint/rows.tsx'
import { useScene } from '../paint/scene.ts'
import { drawActivity } from './live-rows.ts'

/** Shows the calls and elves that run, and the wait for another attempt. */
export function Activity() {
  const { screen, theme } = useScene()
  return <Rows theme={theme} lines={drawActivity(screen)} />
}
