import { Rows } from '../paint/rows.tsx'
import { useScene } from '../paint/scene.ts'
import type { Question } from '../question/asked-question.ts'
import { drawQuestionInput } from './live-rows.ts'

/** Shows a question with the draft below it. */
export function QuestionInput({ question }: { readonly question: Question }) {
  const { screen, theme } = useScene()
  return <Rows theme={theme} lines={drawQuestionInput(screen, question)} />
}
