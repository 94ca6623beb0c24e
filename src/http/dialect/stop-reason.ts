import { unreachable } from '../../error.ts'
import { finishMeaning } from '../../reply/finish-word.ts'
import type { StopReason } from '../../usage.ts'

/**
 * Maps a server's finish word; a missing one is `unknown`. A normal stop becomes `refusal` if the model refused in words, else
 * `tool_use` if there are calls of ours.
 */
export function toStopReason(
  raw: string | undefined,
  seen: { readonly calls: boolean; readonly refusal?: boolean },
): StopReason {
  const meaning = finishMeaning(raw ?? '')
  switch (meaning) {
    // The server may have run the tools of `tool_use` itself.
    case 'done':
    case 'tool_use':
      return seen.refusal === true ? 'refusal' : seen.calls ? 'tool_use' : 'end_turn'
    case 'length':
    case 'context':
      return 'length'
    case 'refusal':
      return 'refusal'
    case 'retry':
      return 'error'
    case 'told':
      return 'unknown'
    default:
      return unreachable(meaning)
  }
}
