import type { Interaction, InteractionResponse } from '../interaction.ts'
import type { JsonObject } from '../json-value.ts'
import { roundUsd } from '../model.ts'
import type { Decision, Verdict } from '../permission.ts'
import { present } from '../present.ts'
import type { Usage } from '../usage.ts'

/** A question as the audit log keeps it. What it shows of a call stands there already. */
export function describeQuestion(interaction: Interaction): JsonObject {
  const { id, kind, purpose, display, options, parts } = interaction
  return {
    interaction_id: id,
    kind,
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
    ...present({ selected_option_id: selectedOptionId, input_value: inputValue, comment, cancelled }),
    ...present({ parts: parts?.map(describeAnswer) }),
  }
}

/** Who allows or forbids where nobody was asked; a mode is a consent that a person gave beforehand. */
const judges: Readonly<Record<Decision['source'], string>> = {
  builtin: 'builtin',
  capability: 'builtin',
  mode: 'mode',
  user: 'rule',
  project: 'rule',
  session: 'rule',
}

/** Whether a call may run, as the audit log keeps it: who said so, by which rule, and why. */
export function describeVerdict({ decision, response }: Verdict): JsonObject {
  const { behavior, source, rule, reason, confined } = decision
  return {
    by: response === undefined ? judges[source] : 'person',
    judged: behavior,
    source,
    reason,
    ...present({ rule, confined }),
    ...(response === undefined ? {} : describeAnswer(response)),
  }
}

/** What was counted, as the audit log keeps it. */
export function tokens({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): JsonObject {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    ...present({ cache_read_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens }),
  }
}

/** Formats US dollars for the audit log. */
export function cost(costUsd: number | undefined): number | undefined {
  return costUsd === undefined ? undefined : roundUsd(costUsd)
}

const telling = [
  'exit_code',
  'signal',
  'bytes',
  'timed_out',
  'process',
  'pid',
  'spill',
  'url',
  'status',
  'invisible_removed',
]

/** What the details of a result say of what the call did. A diff is not repeated: the hashes name what was there, and what is. */
export function effects(details: JsonObject): JsonObject {
  const kept = Object.entries(details).filter(([name]) => telling.includes(name))
  const { path = null, before = null, after } = details
  return {
    ...Object.fromEntries(kept),
    ...(after === undefined ? {} : { files: [{ path, before, after }] }),
  }
}
