import type { Interaction } from '../../../src/interaction.ts'
import { textResult } from '../../../src/tool.ts'
import { countingIds } from '../messages/ids.ts'
import type { ScriptedTool } from './scripted-tools.ts'

/** A tool that asks one question and returns the answer: the option, the input, or `cancelled`. */
export function asks(title: string, more: Partial<Interaction> = {}): ScriptedTool {
  const newId = countingIds()
  return {
    run: async function* () {
      const interaction: Interaction = {
        id: newId.interaction(),
        kind: 'input',
        purpose: 'generic',
        display: { title },
        ...more,
      }
      const response = yield { type: 'interaction', interaction }
      const said = response?.cancelled ? 'cancelled' : (response?.selectedOptionId ?? response?.inputValue)
      return textResult(said ?? '')
    },
  }
}
