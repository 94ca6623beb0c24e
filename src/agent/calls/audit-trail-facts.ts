import type { Interaction, InteractionResponse } from '../../interaction.ts'
import type { JsonObject } from '../../json-value.ts'
import { roundUsd } from '../../model.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Decision, Verdict } from '../../permission.ts'
import type { Usage } from '../../usage.ts'

/** Describes a question for the audit log. Leaves out its preview of a call, which the log already holds. */
export function describeQuestion(interaction: Interaction): JsonObject {
  const { id, kind, purpose, display, options, parts } = interaction
  return {
    interaction_id: id,
    kind,
    purpose,
    title: display.title,
    ...omitUndefined({
      description: display.description,
      options: options?.map((option) => ({ id: option.id, label: option.label })),
      parts: parts?.map(describeQuestion),
    }),
  }
}

/** Describes an answer for the audit log. */
export function describeAnswer(response: InteractionResponse): JsonObject {
  const { interactionId, selectedOptionId, inputValue, comment, arguments: args, parts, cancelled } = response
  return {
    interaction_id: interactionId,
    ...omitUndefined({ selected_option_id: selectedOptionId, input_value: inputValue, comment, cancelled }),
    ...omitUndefined({ arguments: args }),
    ...omitUndefined({ parts: parts?.map(describeAnswer) }),
  }
}

/** The judge of a decision without a question. A mode is consent that the user gave beforehand. */
const judges: Readonly<Record<Decision['source'], string>> = {
  builtin: 'builtin',
  capability: 'builtin',
  mode: 'mode',
  user: 'rule',
  project: 'rule',
  session: 'rule',
  hook: 'hook',
}

/** Describes a verdict on a call for the audit log: its judge, rule and reason. */
export function describeVerdict({ decision, response }: Verdict): JsonObject {
  const { behavior, source, rule, reason, confined } = decision
  return {
    by: response === undefined ? judges[source] : 'person',
    judged: behavior,
    source,
    reason,
    ...omitUndefined({ rule, confined }),
    ...(response === undefined ? {} : describeAnswer(response)),
  }
}

/** Formats token counts for the audit log. */
export function tokens({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): JsonObject {
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    ...omitUndefined({ cache_read_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens }),
  }
}

/** Formats US dollars for the audit log. */
export function cost(costUsd: number | undefined): number | undefined {
  return costUsd === undefined ? undefined : roundUsd(costUsd)
}

const auditedDetails = [
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

/** Picks the effects of a call from its result's details. Leaves out diffs: the hashes identify the old and new contents. */
export function effects(details: JsonObject): JsonObject {
  const kept = Object.entries(details).filter(([name]) => auditedDetails.includes(name))
  const { path = null, from, before = null, after } = details
  if (from !== undefined) return { ...Object.fromEntries(kept), moved: { from, to: path } }
  return {
    ...Object.fromEntries(kept),
    ...(after === undefined ? {} : { files: [{ path, before, after }] }),
  }
}
