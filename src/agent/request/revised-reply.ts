import type { AgentFact, StreamEvent } from '../../event.ts'
import type { AssistantMessage } from '../../message.ts'
import { IncomingReply, type ListenOptions } from './incoming-reply.ts'

/** Whether a reply was read again at its end, so that it says something else than what was shown. */
export function isRevised({ metadata }: AssistantMessage): boolean {
  return metadata?.['think_tags'] !== undefined
}

/** Strikes what was shown of a revised reply and shows it as it is now, without another request. Returns the ids that are shown then. */
export function* showRevised(
  reply: AssistantMessage,
  shown: ReadonlySet<string>,
  listening: ListenOptions,
): Generator<
  IncomingReply | Extract<AgentFact, { type: 'retry' | 'notice' }>,
  ReadonlySet<string>,
  undefined
> {
  const { provider = 'the server', metadata } = reply
  const use = metadata?.['think_tags'] ?? ''
  const reason =
    use === 'none'
      ? `${provider} wrote an answer where thinking was expected`
      : `${provider} wrote its thinking into its answer`
  yield { type: 'retry', attempt: 0, reason, waitMs: 0, discarded: [...shown] }
  const again = new IncomingReply(eventsOf(reply), listening)
  yield again
  if (use === 'none') return again.shown
  const setting = `providers.${provider}.quirks.think_tags`
  yield {
    type: 'notice',
    text: `${reason}; with ${setting} "${use}" pipe separates the two while they stream`,
  }
  return again.shown
}

/** The events of a whole reply. Its blocks get new ids, because the old ones were struck. */
function eventsOf({ content }: AssistantMessage): {
  next(): Promise<IteratorResult<StreamEvent, undefined>>
} {
  const events = content.flatMap((block, i): StreamEvent[] => {
    const id = `revised_${i}`
    switch (block.type) {
      case 'text':
        return [{ type: 'text_delta', id, delta: block.text }]
      case 'thinking':
        return [{ type: 'thinking_delta', id, delta: block.thinking }]
      case 'tool_call':
        return [
          { type: 'tool_call_begin', id: block.id, name: block.name },
          { type: 'tool_call_end', call: block },
        ]
      default:
        return []
    }
  })
  const each = events.values()
  return {
    next: async () => {
      const { done, value } = each.next()
      return done === true ? { done, value: undefined } : { done: false, value }
    },
  }
}
