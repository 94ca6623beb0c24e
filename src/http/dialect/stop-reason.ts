import type { StopReason } from '../../usage.ts'

/**
 * What a server's own word for why it stopped means; one that is not among `words` is `unknown`. A normal stop is a refusal where
 * the model refused in words, and `tool_use` exactly where there are calls of ours, whatever the word.
 */
export function toStopReason(
  raw: string | undefined,
  words: ReadonlyMap<string, StopReason>,
  seen: { readonly calls: boolean; readonly refusal?: boolean },
): StopReason {
  const reason = words.get(raw ?? '') ?? 'unknown'
  if (reason !== 'end_turn') return reason
  return seen.refusal === true ? 'refusal' : seen.calls ? 'tool_use' : 'end_turn'
}
