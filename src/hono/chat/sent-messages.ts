import type { Clock } from '../../clock.ts'
import type { NewId } from '../../id.ts'
import { type ContentBlock, type Message, resultContent } from '../../message.ts'
import { noUsage } from '../../usage.ts'
import { type SentHistory, visibleHistory } from './sent-history.ts'

/** Facts that the messages of a client lack. */
export interface ReadingHistory {
  readonly newId: Pick<NewId, 'message'>
  /** ISO 8601. */
  readonly timestamp: string
}

export function readingNow({
  newId,
  clock,
}: Pick<ReadingHistory, 'newId'> & { readonly clock: Clock }): ReadingHistory {
  return { newId, timestamp: new Date(clock.now()).toISOString() }
}

/** Collects the messages of a client in their order, whatever its format. Leaves out those without content. */
export class SentMessages {
  readonly #reading: ReadingHistory
  readonly #prompts: string[] = []
  readonly #messages: Message[] = []
  readonly #toolNames = new Map<string, string>()

  constructor(reading: ReadingHistory) {
    this.#reading = reading
  }

  addPrompt(text: string): void {
    if (text.trim() !== '') this.#prompts.push(text)
  }

  addUser(content: readonly ContentBlock[]): void {
    if (content.length > 0) this.#messages.push({ type: 'user', ...this.#base(), content })
  }

  /** `continues`: adds to the reply that ends the history, if one does. */
  addReply(content: readonly ContentBlock[], { continues = false } = {}): void {
    if (content.length === 0) return
    for (const block of content) if (block.type === 'tool_call') this.#toolNames.set(block.id, block.name)
    const last = continues ? this.#messages.at(-1) : undefined
    const before = last?.type === 'assistant' ? last.content : []
    if (before.length > 0) this.#messages.pop()
    const said = [...before, ...content]
    const stopReason = said.some(({ type }) => type === 'tool_call') ? 'tool_use' : 'end_turn'
    this.#messages.push({ type: 'assistant', ...this.#base(), content: said, stopReason, usage: noUsage })
  }

  addResult(toolCallId: string, content: readonly ContentBlock[], isError = false): void {
    const toolName = this.#toolNames.get(toolCallId) ?? ''
    const about = { toolCallId, toolName, isError }
    this.#messages.push({ type: 'tool_result', ...this.#base(), ...about, content: resultContent(content) })
  }

  /** Returns the history, without what a user would not see. */
  end(): SentHistory {
    return visibleHistory({ systemPrompt: this.#prompts.join('\n\n'), messages: this.#messages })
  }

  #base(): Pick<Message, 'id' | 'timestamp'> {
    const { newId, timestamp } = this.#reading
    return { id: newId.message(), timestamp }
  }
}
