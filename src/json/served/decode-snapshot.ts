import type { QueuedMessage, Snapshot } from '../../conversation.ts'
import { isInteractionId, type SessionId } from '../../id.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { decodeMessageId, decodeUsage } from '../documents/decode.ts'
import { decodeSentMessage } from '../documents/decode-event.ts'
import { decodeInteraction } from '../documents/decode-question.ts'
import type { WireSnapshot } from './snapshot-schema.ts'

/** Decodes a snapshot of this session. */
export function decodeSnapshot(
  wire: Omit<WireSnapshot, 'position'>,
  session: SessionId,
): Omit<Snapshot, 'settings'> {
  const {
    state,
    settled: isSettled = false,
    messages,
    usage,
    cost_usd: costUsd,
    reply,
    calls,
    questions,
    queue,
  } = wire
  return {
    state,
    isSettled,
    messages: messages.map((message) => decodeSentMessage(message, session)),
    usage: decodeUsage(usage),
    ...omitUndefined({ costUsd }),
    reply,
    calls: calls.map(({ call_id: callId, asks, ...call }) => ({
      ...call,
      callId,
      ...(asks !== undefined && isInteractionId(asks) && { asks }),
    })),
    questions: questions.map(decodeInteraction).filter((question) => question !== undefined),
    queue: decodeQueue(queue, session),
  }
}

/** Decodes the messages of this session that wait. */
export function decodeQueue(queue: WireSnapshot['queue'], session: SessionId): readonly QueuedMessage[] {
  return queue.map(({ id, ...rest }) => ({ id: decodeMessageId(session, id), ...rest }))
}
