/**
 * What a server's finish word means for a reply: `done` and `tool_use` end it normally, `length` cuts it at a limit, `context` at a full
 * context window, `refusal` is the server's or the model's no, `retry` is a failure that may pass. `told`: no word of this table, so
 * that the answer stands and the user is told.
 */
export type FinishMeaning = 'done' | 'tool_use' | 'length' | 'context' | 'refusal' | 'retry' | 'told'

/** The words of all dialects in lower case. */
const meanings: ReadonlyMap<string, FinishMeaning> = new Map([
  ...words(
    'done',
    'stop stopped end end_turn eos eos_token stop_sequence stop_token complete completed finished done',
  ),
  // For requests that only load or unload a model
  ...words('done', 'load unload'),
  ...words('tool_use', 'tool_use tool_call tool_calls function_call function_calls'),
  ...words('length', 'length max_tokens max_output_tokens model_length max_length incomplete'),
  ...words('context', 'error_limit'),
  ...words('refusal', 'content_filter content_filtered refusal refused sensitive safety unsafe moderation'),
  ...words('refusal', 'policy_violation content_policy_violation guardrail_intervened blocked flagged'),
  ...words('refusal', 'recitation language blocklist prohibited_content spii model_armor image_safety'),
  ...words('refusal', 'image_prohibited_content image_recitation'),
  ...words('refusal', 'error_toxic data_inspection_failed'),
  ...words('retry', 'error failed failure timeout cancelled canceled abort aborted'),
  ...words('retry', 'insufficient_system_resource'),
  // Calls that the server could not read
  ...words('retry', 'malformed_function_call unexpected_tool_call too_many_tool_calls malformed_response'),
  ...words('retry', 'missing_thought_signature'),
])

/** Families of words that servers extend. The first that matches counts. */
const families: readonly (readonly [RegExp, FinishMeaning])[] = [
  [/(^|_)(context|prompt|input)_(\w+_)?(exceeded|full|limit|length|overflow|too_long)$/, 'context'],
  [/(^|_)context_(length|window|size)(_|$)/, 'context'],
  [/(^|_)(content_filter|content_policy|safety|moderation|prohibited|policy)(_|$)/, 'refusal'],
  [/(^|_)(blocked|filtered|refused|sensitive|unsafe|violation)$/, 'refusal'],
  [/(^|_)(max_(\w+_)?tokens?|length|(token|output)_limit)(_|$)/, 'length'],
  [/(^|_)(error|exception|failed|failure|crashed|timeout|timed_out|unavailable|overloaded)$/, 'retry'],
  [/(^|_)(cancel|cancell?ed|abort|aborted|disconnected|interrupted|preempted)$/, 'retry'],
  [/(^|_)rate_limit(_|ed|$)/, 'retry'],
]

function words(meaning: FinishMeaning, list: string): readonly (readonly [string, FinishMeaning])[] {
  return list.split(' ').map((word) => [word, meaning])
}

/** Characters that are read of a word. */
const maxWord = 100

/** Returns what a finish word means, in any case: `MAX_TOKENS`, `max-tokens` and `maxTokens` are one word. */
export function finishMeaning(raw: string): FinishMeaning {
  const word = raw
    .slice(0, maxWord)
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()
  return meanings.get(word) ?? families.find(([family]) => family.test(word))?.[1] ?? 'told'
}

/** Whether a reply ended because the model's context window is full. */
export function isContextFull({ rawStopReason = '' }: { readonly rawStopReason?: string }): boolean {
  return finishMeaning(rawStopReason) === 'context'
}
