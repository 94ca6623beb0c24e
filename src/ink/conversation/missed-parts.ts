import type { Snapshot } from '../../conversation.ts'
import type { AgentEvent } from '../../event.ts'
import type { MessageId } from '../../id.ts'
import { type Message, toolCalls } from '../../message.ts'
import type { Entry, Screen } from '../state.ts'
import { shownEarlier } from '../transcript/opening.ts'
import { transcriptOf } from '../transcript/transcript.ts'
import type { Missed } from './catching-up.ts'

const missedNote: Entry = {
  type: 'note',
  level: 'info',
  text: 'the connection missed some of it: this is the conversation as it is now',
}

/** Knows how much of a conversation the screen shows, and finds what it has missed. */
export class MissedParts {
  /** The last message shown. */
  #last: MessageId | undefined
  /** Whether events were heard, so that a snapshot stands for missed ones. */
  #hasHeard = false
  /** The last block of the reply in a snapshot: its deltas come under an id that snapshots lack. */
  #open: { readonly type: 'text_delta' | 'thinking_delta'; readonly id: string; from?: string } | undefined

  constructor({ messages }: Pick<Snapshot, 'messages'>) {
    this.#last = messages.at(-1)?.id
  }

  /** Takes an event of the agent, and returns it as it continues what a snapshot began. */
  hear(event: AgentEvent): AgentEvent {
    this.#hasHeard = true
    if (event.type === 'message') this.#last = event.message.id
    if (event.type === 'turn_start' && event.message !== undefined) this.#last = event.message.id
    const open = this.#open
    if (open === undefined) return event
    const isDelta = event.type === 'text_delta' || event.type === 'thinking_delta'
    if (isDelta && event.type === open.type && event.id === (open.from ?? event.id)) {
      open.from = event.id
      return { ...event, id: open.id }
    }
    this.#open = undefined
    return event
  }

  /** Returns what the snapshot has and the screen has not. */
  take(
    { messages, reply, calls }: Snapshot,
    { size: { columns }, look }: Pick<Screen, 'size' | 'look'>,
  ): Pick<Missed, 'entries' | 'reply' | 'calls'> {
    const blocks = reply.map((block, i) => ({
      type: block.type,
      id: `missed_${i}`,
      text: block.type === 'text' ? block.text : block.thinking,
    }))
    const last = blocks.at(-1)
    this.#open = last && { type: last.type === 'text' ? 'text_delta' : 'thinking_delta', id: last.id }
    const unseen = transcriptOf(unseenOf(messages, this.#last), columns, look)
    const isNews = unseen.length > 0 || blocks.length > 0
    const entries = this.#hasHeard && isNews ? [missedNote, ...unseen] : unseen
    this.#last = messages.at(-1)?.id ?? this.#last
    this.#hasHeard = true
    return {
      entries,
      reply: blocks,
      calls: calls.map(({ callId: id, name, arguments: args }) => ({ id, name, arguments: args })),
    }
  }
}

/** Returns the messages after the last one shown, with the calls before it that have a result only now. */
function unseenOf(messages: readonly Message[], last: MessageId | undefined): readonly Message[] {
  const at = last === undefined ? -1 : messages.findLastIndex(({ id }) => id === last)
  // An answer on another branch, or after a rewind: shown as a resumed conversation is.
  if (at < 0) return messages.slice(-shownEarlier)
  const after = messages.slice(at + 1)
  const answered = new Set(after.map((message) => (message.type === 'tool_result' ? message.toolCallId : '')))
  const caller = messages.slice(0, at + 1).findLast(({ type }) => type === 'assistant')
  const calls = caller === undefined ? [] : toolCalls(caller).filter(({ id }) => answered.has(id))
  return caller?.type === 'assistant' && calls.length > 0 ? [{ ...caller, content: calls }, ...after] : after
}
