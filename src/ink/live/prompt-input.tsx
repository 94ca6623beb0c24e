import { drawCompletion } from '../completion/completion-view.ts'
import { Rows } from '../paint/rows.tsx'
import { useScene } from '../paint/scene.ts'
import { drawDraftOf } from '../prompt/prompt-view.ts'

/** Shows the prompt with what would complete it. */
export function PromptInput() {
  const { screen, theme, hasCaret } = useScene()
  return (
    <>
      <Rows theme={theme} lines={drawDraftOf(screen.prompt, screen.size)} hasCaret={hasCaret} />
      <Rows theme={theme} lines={drawCompletion(screen)} />
    </>
  )
}
