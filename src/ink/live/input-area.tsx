import { Rows } from '../paint/rows.tsx'
import { useScene } from '../paint/scene.ts'
import { drawPromptRule } from './live-rows.ts'
import { PanelInput } from './panel-input.tsx'
import { PickerInput } from './picker-input.tsx'
import { PromptInput } from './prompt-input.tsx'
import { QuestionInput } from './question-input.tsx'
import { SearchInput } from './search-input.tsx'
import { SecretInput } from './secret-input.tsx'

/** Shows what the keys go to, below a rule where it is a prompt. */
export function InputArea() {
  const { screen, theme } = useScene()
  return (
    <>
      <Rows theme={theme} lines={drawPromptRule(screen)} />
      <Input />
    </>
  )
}

/** Shows the first question, else a list that is open, else the prompt. */
function Input() {
  const { questions, picker, secret, panel, search } = useScene().screen
  const [question] = questions
  if (question !== undefined) return <QuestionInput question={question} />
  if (picker !== undefined) return <PickerInput picker={picker} />
  if (secret !== undefined) return <SecretInput secret={secret} />
  if (panel !== undefined) return <PanelInput panel={panel} />
  if (search !== undefined) return <SearchInput search={search} />
  return <PromptInput />
}
