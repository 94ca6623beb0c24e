import type { Interaction, InteractionResponse } from '../interaction.ts'
import type { JsonObject } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'

/** Encodes a question as JSON, as session files and the formats for programs have it. */
export function encodeInteraction(interaction: Interaction): JsonObject {
  const { id, kind, purpose, display, options, withheld, validation, parts } = interaction
  const { title, description, content, contentKind, dangers } = display
  return {
    id,
    kind,
    purpose,
    display: {
      title,
      ...omitUndefined({ description, content, content_kind: contentKind }),
      ...omitUndefined({ dangers: dangers?.map((danger) => omitUndefined({ ...danger })) }),
    },
    ...omitUndefined({
      options: options?.map((option) => ({
        id: option.id,
        label: option.label,
        ...omitUndefined({ style: option.style, is_default: option.isDefault }),
        ...omitUndefined({ detail: option.detail, confirm: option.confirm }),
      })),
      withheld: withheld?.map(({ id, label, reason }) => ({ id, label, reason })),
      validation: validation === undefined ? undefined : omitUndefined({ ...validation }),
      parts: parts?.map(encodeInteraction),
    }),
  }
}

/** Encodes an answer as JSON. */
export function encodeResponse(response: InteractionResponse): JsonObject {
  const { interactionId, answeredBy, selectedOptionId, inputValue, comment, parts, cancelled } = response
  const { arguments: args } = response
  return {
    interaction_id: interactionId,
    answered_by: answeredBy,
    ...omitUndefined({
      selected_option_id: selectedOptionId,
      input_value: inputValue,
      comment,
      arguments: args,
    }),
    ...omitUndefined({ parts: parts?.map(encodeResponse), cancelled }),
  }
}
