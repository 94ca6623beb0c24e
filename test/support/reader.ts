import type { AgentEvent } from '../../src/event.ts'
import type { Message } from '../../src/message.ts'

/** A reply, block by block: what was said, or the name of what was called. */
type Said = readonly string[]

/** What the events of a turn leave a reader with of each reply that stayed: what was struck is gone. */
export function shownReplies(events: readonly AgentEvent[]): readonly Said[] {
  const replies: Said[] = []
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

/** The same of messages. */
export function savedReplies(messages: readonly Message[]): readonly Said[] {
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
