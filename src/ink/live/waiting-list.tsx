import { Rows } from '../paint/rows.tsx'
import { useScene } from '../paint/scene.ts'
import { drawWaiting } from './live-rows.ts'

/** Shows the messages that were sent but not delivered. */
export function WaitingList() {
  const { screen, theme } = useScene()
  return <Rows theme={theme} lines={drawWaiting(screen)} />
}
