import { type AssistantMessage, type Message, type ToolCallBlock, toolCalls } from '../../message.ts'
import type { PendingQuestion } from '../../session.ts'
import { OpenQuestions } from '../open-questions.ts'

/** The last reply, and its calls that have no result. */
export interface OpenReply {
  readonly reply: AssistantMessage
  readonly calls: readonly ToolCallBlock[]
}

/** Finds the last reply if a call of it asks a question that is still open. */
export function openReply(messages: readonly Message[], questions: OpenQuestions): OpenReply | undefined {
  const at = messages.findLastIndex(({ type }) => type !== 'tool_result')
  const reply = messages[at]
  if (reply?.type !== 'assistant') return undefined
  const ended = new Set(
    messages.slice(at + 1).map((message) => message.type === 'tool_result' && message.toolCallId),
  )
  const calls = toolCalls(reply).filter(({ id }) => !ended.has(id))
  return calls.some(({ id }) => questions.has(id)) ? { reply, calls } : undefined
}

/** Returns those of the saved questions that the last reply still asks. */
export function stillOpen(
  messages: readonly Message[],
  saved: readonly PendingQuestion[],
): readonly PendingQuestion[] {
  const open = openReply(messages, new OpenQuestions(saved))
  return saved.filter(({ callId }) => open?.calls.some(({ id }) => id === callId))
}
