import type { WaitingMessage } from '../history/message-queue.ts'
import type { JsonObject } from '../json-value.ts'
import { spokenText } from '../message.ts'
import type { Position, Snapshot } from '../shared-conversation.ts'
import { encodeInteraction } from './interaction-json.ts'
import { encodeCost, encodeMessage, encodeUsage } from './message-json.ts'

/** A conversation as a client of the server gets it. */
export interface ServedSnapshot extends Snapshot {
  readonly position: Position
  readonly queue: readonly WaitingMessage[]
}

/** Encodes a conversation at one position. */
export function encodeSnapshot(snapshot: ServedSnapshot): object {
  const { position, state, messages, usage, costUsd, reply, calls, questions, queue } = snapshot
  return {
    position,
    state,
    messages: messages.map(encodeMessage),
    usage: encodeUsage(usage),
    ...encodeCost(costUsd),
    reply: reply.map((block) =>
      block.type === 'text'
        ? { type: block.type, text: block.text }
        : { type: block.type, thinking: block.thinking },
    ),
    calls: calls.map(({ callId, name, arguments: args }) => ({ call_id: callId, name, arguments: args })),
    questions: questions.map(encodeInteraction),
    queue: encodeQueue(queue),
  }
}

/** Encodes the messages that wait, each with what the user wrote. */
export function encodeQueue(queue: readonly WaitingMessage[]): readonly JsonObject[] {
  return queue.map(({ message, kind }) => ({ id: message.id, text: spokenText(message), kind }))
}
