import { isInteractionId, isSessionId } from '../../id.ts'
import type { Interaction, InteractionResponse } from '../../interaction.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { PendingQuestion } from '../../session.ts'
import type { DiskInteraction, DiskResponse } from './interaction-schema.ts'
import type { DiskPending } from './schema.ts'

/** Decodes a pending question; none if its id is not one of ours, as then nobody can answer it. */
export function decodePending(disk: DiskPending): readonly PendingQuestion[] {
  const interaction = decodeInteraction(disk.interaction)
  if (interaction === undefined) return []
  const response = disk.response && decodeResponse(disk.response)
  const { call_id: callId, subject, child_session_id: sessionId, child_name: name = 'elf' } = disk
  const child = sessionId !== undefined && isSessionId(sessionId) ? { sessionId, name } : undefined
  return [{ callId, interaction, subject, ...omitUndefined({ child, response }) }]
}

/** The compiler takes the parts of an inferred recursive type for required. */
type Parts<Disk extends { readonly parts?: unknown }> = Omit<Disk, 'parts'> & {
  readonly parts?: readonly Parts<Disk>[]
}

/** Decodes a question; `undefined` if its id is not one of ours. */
export function decodeInteraction(disk: Parts<DiskInteraction>): Interaction | undefined {
  const { id, kind, purpose, display, options, withheld, validation, parts } = disk
  if (!isInteractionId(id)) return undefined
  const { title, description, content, content_kind: contentKind, dangers } = display
  return {
    id,
    kind,
    purpose,
    display: {
      title,
      ...omitUndefined({ description, content, contentKind }),
      ...omitUndefined({
        dangers: dangers?.map(({ text, start, end }) => ({ text, ...omitUndefined({ start, end }) })),
      }),
    },
    ...omitUndefined({
      options: options?.map(({ id, label, style, is_default: isDefault, detail, confirm }) => ({
        id,
        label,
        ...omitUndefined({ style, isDefault, detail, confirm }),
      })),
      withheld: withheld?.map(({ id, label, reason }) => ({ id, label, reason })),
      validation: validation && omitUndefined({ regex: validation.regex, required: validation.required }),
      parts: parts?.map(decodeInteraction).filter((part) => part !== undefined),
    }),
  }
}

/** An answer of a file or a client. Written out, because the compiler takes the parts of an inferred recursive type for required. */
export interface SentResponse extends Omit<DiskResponse, 'parts'> {
  readonly parts?: readonly SentResponse[] | undefined
}

/** Decodes an answer; `undefined` if it names no question of ours. */
export function decodeResponse(disk: SentResponse): InteractionResponse | undefined {
  const { interaction_id: interactionId, answered_by: answeredBy, ...rest } = disk
  if (!isInteractionId(interactionId)) return undefined
  const { selected_option_id: selectedOptionId, input_value: inputValue, comment, parts, cancelled } = rest
  const { arguments: args } = rest
  return {
    interactionId,
    answeredBy,
    ...omitUndefined({ selectedOptionId, inputValue, comment, arguments: args, cancelled }),
    ...omitUndefined({ parts: parts?.map(decodeResponse).filter((part) => part !== undefined) }),
  }
}
