import type { AgentEvent } from '../../../src/event.ts'
import type { Message } from '../../../src/message.ts'

/** A reply, block by block: its text, or the name of its call. */
type Reply = readonly string[]

/** Collects what a reader sees of each final reply of a turn, without discarded blocks. */
export function shownReplies(events: readonly AgentEvent[]): readonly Reply[] {
  const replies: Reply[] = []
  const blocks = new Map<string, string>()
  for (const event of events) {
    switch (event.type) {
      case 'text_delta':
      case 'thinking_delta':
        blocks.set(event.id, (blocks.get(event.id) ?? '') + event.delta)
        break
      case 'tool_call_begin':
        blocks.set(event.id, event.name)
        break
      case 'retry':
        for (const id of event.discarded) blocks.delete(id)
        break
      case 'round_end':
        replies.push([...blocks.values()])
        blocks.clear()
    }
  }
  return replies
}

/** Collects the same from messages. */
export function savedReplies(messages: readonly Message[]): readonly Reply[] {
  return messages.flatMap(({ type, content }) =>
    type === 'assistant'
      ? [
          content.map((block) => {
            switch (block.type) {
              case 'text':
                return block.text
              case 'thinking':
                return block.thinking
              case 'tool_call':
                return block.name
              default:
                return block.type
            }
          }),
        ]
      : [],
  )
}
