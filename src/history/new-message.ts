import type { Clock } from '../clock.ts'
import type { NewId } from '../id.ts'
import type { Message, UserMessage } from '../message.ts'

/** Gives new messages their ids and times. */
export interface MessageSource {
  readonly newId: Pick<NewId, 'message'>
  readonly clock: Pick<Clock, 'now'>
}

/** Returns the id and the time of a new message. */
export function newMessage({ newId, clock }: MessageSource): Pick<Message, 'id' | 'timestamp'> {
  return { id: newId.message(), timestamp: new Date(clock.now()).toISOString() }
}

/** Makes a message of a text. */
export function textMessage(text: string, source: MessageSource): UserMessage {
  return { type: 'user', ...newMessage(source), content: [{ type: 'text', text }] }
}
