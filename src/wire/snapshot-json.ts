import type { Position, QueuedMessage, Snapshot } from '../conversation.ts'
import type { JsonObject } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { encodeInteraction } from './interaction-json.ts'
import { encodeCost, encodeMessage, encodeUsage } from './message-json.ts'

/** A conversation as a client of the server gets it. */
export interface ServedSnapshot extends Omit<Snapshot, 'settings'> {
  readonly position: Position
}

/** Encodes a conversation at one position. */
export function encodeSnapshot(snapshot: ServedSnapshot): object {
  const { position, state, isSettled, messages, usage, costUsd, reply, calls, questions, queue } = snapshot
  return {
    position,
    state,
    settled: isSettled,
    messages: messages.map(encodeMessage),
    usage: encodeUsage(usage),
    ...encodeCost(costUsd),
    reply: reply.map((block) =>
      block.type === 'text'
        ? { type: block.type, text: block.text }
        : { type: block.type, thinking: block.thinking },
    ),
    calls: calls.map(({ callId, name, arguments: args, asks }) => ({
      call_id: callId,
      name,
      arguments: args,
      ...omitUndefined({ asks }),
    })),
    questions: questions.map(encodeInteraction),
    queue: encodeQueue(queue),
  }
}

/** Encodes the messages that wait, each with what the user wrote. */
export function encodeQueue(queue: readonly QueuedMessage[]): readonly JsonObject[] {
  return queue.map(({ id, text, kind }) => ({ id, text, kind }))
}
