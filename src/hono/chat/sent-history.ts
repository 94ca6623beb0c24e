import {
  messageWithoutTags,
  replyWithoutTags,
  resultWithoutTags,
  withoutTags,
} from '../../characters/tag-characters.ts'
import type { Message } from '../../message.ts'

/** A client's messages, as a model gets them. */
export interface SentHistory {
  /** The system messages, one paragraph each. Empty if there are none. */
  readonly systemPrompt: string
  readonly messages: readonly Message[]
}

/** Removes invisible characters, which a user would not see and a model would read. */
export function visibleHistory({ systemPrompt, messages }: SentHistory): SentHistory {
  return { systemPrompt: withoutTags(systemPrompt), messages: messages.map(visibleMessage) }
}

function visibleMessage(message: Message): Message {
  switch (message.type) {
    case 'user':
      return messageWithoutTags(message)
    case 'assistant':
      return replyWithoutTags(message)
    case 'tool_result':
      return { ...message, ...resultWithoutTags(message) }
  }
}
