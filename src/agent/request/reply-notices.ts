import type { AssistantMessage } from '../../message.ts'
import { finishMeaning } from '../../reply/finish-word.ts'
import { writtenCall } from './written-calls.ts'

/** Characters of a finish word that a notice quotes. */
const maxWord = 60

/** Returns what a user should know about a reply although it stands. */
export function replyNotices(reply: AssistantMessage): readonly string[] {
  return [strangeEnding(reply), writtenCall(reply)].flatMap((notice) => notice ?? [])
}

/** Names a finish word that pipe does not know. */
function strangeEnding({ provider, rawStopReason }: AssistantMessage): string | undefined {
  if (rawStopReason === undefined || finishMeaning(rawStopReason) !== 'told') return undefined
  const word = JSON.stringify(rawStopReason.slice(0, maxWord))
  return `${provider} ended its reply with the word ${word}, which pipe does not know: the answer may not be whole`
}
