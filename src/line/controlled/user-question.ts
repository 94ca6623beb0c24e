import { localUser } from '../../actor.ts'
import type { Answer } from '../../conversation.ts'
import { isPipeError } from '../../error.ts'
import { type Interaction, type InteractionResponse, validateResponse } from '../../interaction.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { PermissionAsking } from './tool-permission.ts'

/**
 * Asks the program what its user wants: as the call of a tool that asks, which it allows with `answers` by the words of each question.
 * Anything else leaves the question without an answer.
 */
export async function askUser(
  question: Interaction,
  callId: string,
  { program, words, signal }: PermissionAsking,
): Promise<Answer> {
  const { parts = [question] } = question
  const request = {
    subtype: 'can_use_tool',
    tool_name: words.question,
    input: { questions: parts.map(posed) },
    tool_use_id: callId,
    requires_user_interaction: true,
  }
  try {
    const { behavior, updatedInput } = await program.ask(request, signal)
    const answers = isJsonObject(updatedInput) ? updatedInput['answers'] : undefined
    if (behavior !== 'allow' || !isJsonObject(answers)) return { cancelled: true }
    const given = parts.map((part) => answered(part, answers[part.display.title]))
    const answer = question.parts === undefined ? (given[0] ?? {}) : { parts: given }
    validateResponse(question, { answeredBy: localUser, ...answer, interactionId: question.id })
    return answer
  } catch (error) {
    if (!isPipeError(error)) throw error
    return { cancelled: true }
  }
}

function posed({ display: { title, description }, options = [] }: Interaction): JsonObject {
  return {
    question: title,
    header: description ?? '',
    options: options.map(({ label, detail = '' }) => ({ label, description: detail })),
    multiSelect: false,
  }
}

/** An answer is the label of an option, or words of the user's own. */
function answered({ id, options = [] }: Interaction, said: JsonValue | undefined): InteractionResponse {
  const text = Array.isArray(said) ? said.join(', ') : typeof said === 'string' ? said : undefined
  const option = options.find(({ label }) => label === text)
  return {
    interactionId: id,
    answeredBy: localUser,
    ...omitUndefined({
      selectedOptionId: option?.id,
      inputValue: option === undefined ? text : undefined,
    }),
  }
}
