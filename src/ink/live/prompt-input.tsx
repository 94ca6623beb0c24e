import { drawCompletion } from '../completion/completion-view.ts'
import { Rows } from '../paint/rows.tsx'
import { useScene } from '../paint/scene.ts'
import { drawPromptRows } from './live-rows.ts'

/** Shows the prompt with what would complete it. */
export function PromptInput() {
  const { screen, theme, hasCaret } = useScene()
  return (
    <>
      <Rows theme={theme} lines={drawPromptRows(screen, hasCaret)} hasCaret={hasCaret} />
      <Rows theme={theme} lines={drawCompletion(screen)} />
    </>
  )
}
