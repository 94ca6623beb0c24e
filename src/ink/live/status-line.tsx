import { Rows } from '../paint/rows.tsx'
import { useScene } from '../paint/scene.ts'
import { drawStatusRows } from './live-rows.ts'

/** Shows the status, with the rule above it. */
export function StatusLine() {
  const { screen, theme } = useScene()
  return <Rows theme={theme} lines={drawStatusRows(screen)} />
}
