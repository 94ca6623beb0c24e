import type { Snapshot } from '../../conversation.ts'
import type { AgentEvent } from '../../event.ts'
import type { InteractionId } from '../../id.ts'
import type { Interaction } from '../../interaction.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { StringBuilder } from '../../reply/string-builder.ts'

/** The unfinished work of a turn: the reply in progress, running calls, open questions, also those of elves. Each event costs O(1). */
export class Underway {
  readonly #blocks = new Map<string, { readonly type: 'text' | 'thinking'; readonly text: StringBuilder }>()
  readonly #calls = new Map<string, Snapshot['calls'][number]>()
  readonly #questions = new Map<string, Interaction>()
  readonly #elfQuestions = new Map<string, Interaction>()
  #isTurn = false

  /** Whether a turn has started and not ended. */
  get isTurn(): boolean {
    return this.#isTurn
  }

  add(event: AgentEvent): void {
    switch (event.type) {
      case 'turn_start':
        this.#isTurn = true
        return
      case 'text_delta':
        this.#write(event.id, 'text', event.delta)
        return
      case 'thinking_delta':
        this.#write(event.id, 'thinking', event.delta)
        return
      case 'retry':
      case 'fallback':
        for (const id of event.discarded) this.#blocks.delete(id)
        return
      case 'message':
        if (event.message.type === 'assistant') this.#blocks.clear()
        return
      case 'tool_start': {
        const { callId, name, arguments: args } = event
        this.#calls.set(callId, { callId, name, arguments: args })
        return
      }
      case 'tool_end':
        this.#calls.delete(event.callId)
        return
      case 'interaction_requested':
        this.#questions.set(event.interaction.id, event.interaction)
        this.#ask(event.callId, event.interaction.id)
        return
      case 'interaction_responded':
        this.#questions.delete(event.response.interactionId)
        this.#elfQuestions.delete(event.response.interactionId)
        this.#ask(event.callId, undefined)
        return
      case 'turn_end':
        this.clear()
        return
    }
  }

  /** Adds a question of an elf in the background, which outlasts the turn. */
  askForElf(question: Interaction): void {
    this.#elfQuestions.set(question.id, question)
  }

  /** Whether an elf in the background asks this. */
  isOfElf(interactionId: string): boolean {
    return this.#elfQuestions.has(interactionId)
  }

  clear(): void {
    this.#isTurn = false
    this.#blocks.clear()
    this.#calls.clear()
    this.#questions.clear()
  }

  snapshot(): Pick<Snapshot, 'reply' | 'calls' | 'questions'> {
    return {
      reply: [...this.#blocks.values()].map(({ type, text }) =>
        type === 'text' ? { type, text: text.toString() } : { type, thinking: text.toString() },
      ),
      calls: [...this.#calls.values()],
      questions: [...this.#questions.values(), ...this.#elfQuestions.values()],
    }
  }

  /** Notes the open question about a call; `undefined`: it has none. */
  #ask(callId: string | undefined, asks: InteractionId | undefined): void {
    const call = callId === undefined ? undefined : this.#calls.get(callId)
    if (call === undefined) return
    const { asks: _, ...rest } = call
    this.#calls.set(call.callId, { ...rest, ...omitUndefined({ asks }) })
  }

  #write(id: string, type: 'text' | 'thinking', delta: string): void {
    const block = this.#blocks.get(id)
    if (block === undefined) this.#blocks.set(id, { type, text: new StringBuilder(delta) })
    else block.text.add(delta)
  }
}
