import type { StopReason } from '../../usage.ts'

/**
 * Maps a server's stop reason; one missing from `words` is `unknown`. A normal stop becomes `refusal` if the model refused in
 * words, else `tool_use` if there are calls of ours.
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
