import type { AgentEvent } from '../event.ts'
import type { JsonObject } from '../json-value.ts'
import type { AssistantMessage } from '../message.ts'
import { noUsage } from '../usage.ts'
import { emptyReply } from '../wire/messages-api.ts'
import { type ClaudeToolWords, claudeStop, claudeUsage } from './claude-words.ts'

interface OpenBlock {
  readonly id: string
  readonly index: number
}

/** Translates the pieces of replies to the events of Claude's streams, one block after the other. */
export class PartialMessages {
  readonly #words: ClaudeToolWords
  #isOpen = false
  #block: OpenBlock | undefined
  #count = 0

  constructor(words: ClaudeToolWords) {
    this.#words = words
  }

  /** Returns the events that a piece of a reply stands for. `about` names the message that they are of. */
  see(event: AgentEvent, about: { readonly id: string; readonly model: string }): readonly JsonObject[] {
    switch (event.type) {
      case 'text_delta':
        return [
          ...this.#begin(about),
          ...this.#enter(event.id, { type: 'text', text: '' }),
          this.#delta({ type: 'text_delta', text: event.delta }),
        ]
      case 'thinking_delta':
        return [
          ...this.#begin(about),
          ...this.#enter(event.id, { type: 'thinking', thinking: '', signature: '' }),
          this.#delta({ type: 'thinking_delta', thinking: event.delta }),
        ]
      case 'tool_call_end': {
        const { id } = event.call
        const { name, input } = this.#words.call(event.call.name, event.call.arguments)
        const block = { type: 'tool_use', id, name, input: {} }
        const partial_json = JSON.stringify(input ?? {})
        return [
          ...this.#begin(about),
          ...this.#enter(id, block),
          this.#delta({ type: 'input_json_delta', partial_json }),
          ...this.#leave(),
        ]
      }
      case 'retry':
      case 'fallback':
        return this.#end({ stop_reason: null, usage: claudeUsage(noUsage) })
      default:
        return []
    }
  }

  /** Returns the events that end a message; none if no piece of it came. */
  end({ stopReason, usage }: AssistantMessage): readonly JsonObject[] {
    return this.#end({ stop_reason: claudeStop(stopReason), usage: claudeUsage(usage) })
  }

  #begin(reply: { readonly id: string; readonly model: string }): readonly JsonObject[] {
    if (this.#isOpen) return []
    this.#isOpen = true
    this.#count = 0
    return [{ type: 'message_start', message: emptyReply(reply, claudeUsage(noUsage)) }]
  }

  /** Enters a block, and leaves the one before. One that was left and goes on becomes another. */
  #enter(id: string, content_block: JsonObject): readonly JsonObject[] {
    if (this.#block?.id === id) return []
    const left = this.#leave()
    const index = this.#count
    this.#count += 1
    this.#block = { id, index }
    return [...left, { type: 'content_block_start', index, content_block }]
  }

  #delta(delta: JsonObject): JsonObject {
    return { type: 'content_block_delta', index: this.#block?.index ?? 0, delta }
  }

  #leave(): readonly JsonObject[] {
    const block = this.#block
    this.#block = undefined
    return block === undefined ? [] : [{ type: 'content_block_stop', index: block.index }]
  }

  #end({ stop_reason, usage }: { readonly stop_reason: string | null; readonly usage: JsonObject }) {
    if (!this.#isOpen) return []
    this.#isOpen = false
    return [
      ...this.#leave(),
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]
  }
}
