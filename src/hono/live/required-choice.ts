import { invalidField } from '../../error.ts'
import type { Interaction, InteractionResponse } from '../../interaction.ts'

/** Questions to which words of the user's own are no answer. */
const takesNoWords: readonly Interaction['purpose'][] = ['confirm_risky_action', 'assign_subtask']

/** Throws `invalid` if an answer chooses none of the options where only they count: the tool would take it for a no. */
export function requireChoice(question: Interaction | undefined, response: InteractionResponse): void {
  if (question === undefined || response.cancelled === true || response.selectedOptionId !== undefined) return
  const { purpose, options = [] } = question
  if (options.length === 0 || !takesNoWords.includes(purpose)) return
  const reason = `choose ${options.map(({ id }) => id).join(', ')}`
  throw invalidField('response.selected_option_id', reason, `no option is chosen: ${reason}`)
}
