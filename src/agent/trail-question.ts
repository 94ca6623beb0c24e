import type { Interaction, InteractionResponse } from '../interaction.ts'
import type { JsonObject } from '../json-value.ts'
import { present } from '../present.ts'

/** A question as the audit log keeps it. What it shows of a call stands there already. */
export function describeQuestion(interaction: Interaction): JsonObject {
  const { id, purpose, display, options, parts } = interaction
  return {
    interaction_id: id,
    purpose,
    title: display.title,
    ...present({
      description: display.description,
      options: options?.map((option) => ({ id: option.id, label: option.label })),
      parts: parts?.map(describeQuestion),
    }),
  }
}

/** An answer as the audit log keeps it. */
export function describeAnswer(response: InteractionResponse): JsonObject {
  const { interactionId, selectedOptionId, inputValue, comment, parts, cancelled } = response
  return {
    interaction_id: interactionId,
    ...present({
      selected_option_id: selectedOptionId,
      input_value: inputValue,
      comment,
      parts: parts?.map(describeAnswer),
      cancelled,
    }),
  }
}
