import type { AssistantMessage, Message, UserMessage } from '../message.ts'
import { toolCalls } from '../message.ts'

/** A message that the user sent while a turn ran. */
export interface RecordedSteering {
  /** The number of replies in the turn before it. */
  readonly afterRound: number
  readonly message: UserMessage
}

/** A turn of a conversation: the user's message, and everything up to the next turn. */
export interface RecordedTurn {
  readonly message: UserMessage
  readonly steering: readonly RecordedSteering[]
  readonly replies: readonly AssistantMessage[]
  /** All its messages in order, the first included. */
  readonly messages: readonly Message[]
}

/**
 * Splits a conversation into turns. A message that follows complete results was sent during the turn, unless `startsRun` says that
 * a new run began with it. Ignores what precedes the first message of the user.
 */
export function turnsOf(
  messages: readonly Message[],
  startsRun: (message: UserMessage) => boolean,
): readonly RecordedTurn[] {
  const starts = messages.flatMap((message, i) => {
    const isStart = message.type === 'user' && (startsRun(message) || !isBetweenRounds(messages.slice(0, i)))
    return isStart ? [i] : []
  })
  return starts.flatMap((start, i) => turnOf(messages.slice(start, starts[i + 1])) ?? [])
}

/** Whether the next message goes into the request that carries the results of the last reply. */
function isBetweenRounds(before: readonly Message[]): boolean {
  const at = before.findLastIndex(({ type }) => type === 'assistant')
  const reply = before[at]
  if (reply?.type !== 'assistant' || reply.stopReason !== 'tool_use') return false
  const results = before.slice(at + 1).filter(({ type }) => type === 'tool_result')
  return results.length > 0 && results.length === toolCalls(reply).length
}

function turnOf(messages: readonly Message[]): RecordedTurn | undefined {
  const [message, ...others] = messages
  if (message?.type !== 'user') return undefined
  const replies: AssistantMessage[] = []
  const steering: RecordedSteering[] = []
  for (const other of others) {
    if (other.type === 'assistant') replies.push(other)
    if (other.type === 'user') steering.push({ afterRound: replies.length, message: other })
  }
  return { message, steering, replies, messages }
}

/** Returns the turns up to the nth message of the user. */
export function turnsUntil(turns: readonly RecordedTurn[], count: number): readonly RecordedTurn[] {
  let left = count
  return turns.flatMap((turn) => {
    if (left <= 0) return []
    const end = turn.messages.findIndex((message) => message.type === 'user' && left-- === 0)
    return turnOf(end < 0 ? turn.messages : turn.messages.slice(0, end)) ?? []
  })
}
