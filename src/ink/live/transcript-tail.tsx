import { Rows } from '../paint/rows.tsx'
import { useScene } from '../paint/scene.ts'
import { drawTail } from './live-rows.ts'

/** Shows what the model is writing or thinking, below the finished transcript. */
export function TranscriptTail() {
  const { screen, theme } = useScene()
  return <Rows theme={theme} lines={drawTail(screen)} />
}
