import type { AnswerPart } from '../chat/answer.ts'
import type { SentEvent } from '../event-stream.ts'
import {
  type CallFacts,
  callItem,
  customInput,
  type ItemFacts,
  messageItem,
  reasoningItem,
  textPart,
} from './item.ts'

interface Spoken {
  readonly type: 'text' | 'thinking'
  readonly id: string
  readonly index: number
  readonly text: string
}

interface OpenCall {
  readonly id: string
  readonly index: number
  readonly facts: CallFacts
}

/** Writes the output of one response as events. Calls stay open to the end, as their pieces may alternate. */
export class ItemEvents {
  readonly #facts: ItemFacts
  readonly #calls = new Map<number, OpenCall>()
  #spoken: Spoken | undefined
  /** Finished items by their place in the output. */
  readonly #output: object[] = []
  #items = 0
  #count = 0

  constructor(facts: ItemFacts) {
    this.#facts = facts
  }

  /** The finished items. */
  get output(): readonly object[] {
    // An answer that breaks off leaves holes where items are open.
    return Object.values(this.#output)
  }

  /** An event with the next number. */
  event(type: string, fields: object): SentEvent {
    return { event: type, data: JSON.stringify({ type, sequence_number: this.#count++, ...fields }) }
  }

  speak(type: Spoken['type'], delta: string): readonly SentEvent[] {
    const begun = this.#spoken?.type === type ? [] : [...this.#close(), ...this.#begin(type)]
    const spoken = this.#spoken
    if (spoken === undefined) return begun
    this.#spoken = { ...spoken, text: spoken.text + delta }
    const { id: item_id, index: output_index } = spoken
    const event =
      type === 'text'
        ? this.event('response.output_text.delta', {
            item_id,
            output_index,
            content_index: 0,
            delta,
            logprobs: [],
          })
        : this.event('response.reasoning_summary_text.delta', {
            item_id,
            output_index,
            summary_index: 0,
            delta,
          })
    return [...begun, event]
  }

  beginCall({
    index: place,
    id: callId,
    name,
  }: Extract<AnswerPart, { type: 'call_begin' }>): readonly SentEvent[] {
    const closed = this.#close()
    const call = { id: this.#facts.newId('fc'), index: this.#items++, facts: { callId, name, text: '' } }
    this.#calls.set(place, call)
    const item = callItem(call.id, call.facts, this.#isCustom(call), 'in_progress')
    return [...closed, this.event('response.output_item.added', { output_index: call.index, item })]
  }

  continueCall({ index: place, delta }: Extract<AnswerPart, { type: 'call_delta' }>): readonly SentEvent[] {
    const call = this.#calls.get(place)
    if (call === undefined) return []
    this.#calls.set(place, { ...call, facts: { ...call.facts, text: call.facts.text + delta } })
    // The input of a custom tool is known once its JSON is whole.
    if (this.#isCustom(call)) return []
    const { id: item_id, index: output_index } = call
    return [this.event('response.function_call_arguments.delta', { item_id, output_index, delta })]
  }

  /** Finishes all items. */
  end(): readonly SentEvent[] {
    return [...this.#close(), ...[...this.#calls.values()].flatMap((call) => this.#endCall(call))]
  }

  #isCustom({ facts }: OpenCall): boolean {
    return this.#facts.custom.has(facts.name)
  }

  #begin(type: Spoken['type']): readonly SentEvent[] {
    const id = this.#facts.newId(type === 'text' ? 'msg' : 'rs')
    const index = this.#items++
    this.#spoken = { type, id, index, text: '' }
    const place = { item_id: id, output_index: index }
    if (type === 'text')
      return [
        this.event('response.output_item.added', {
          output_index: index,
          item: messageItem(id, '', 'in_progress'),
        }),
        this.event('response.content_part.added', { ...place, content_index: 0, part: textPart('') }),
      ]
    const part = { type: 'summary_text', text: '' }
    return [
      this.event('response.output_item.added', { output_index: index, item: reasoningItem(id, '') }),
      this.event('response.reasoning_summary_part.added', { ...place, summary_index: 0, part }),
    ]
  }

  #close(): readonly SentEvent[] {
    const spoken = this.#spoken
    this.#spoken = undefined
    if (spoken === undefined) return []
    const { type, id, index, text } = spoken
    const place = { item_id: id, output_index: index }
    if (type === 'text') {
      const at = { ...place, content_index: 0 }
      return [
        this.event('response.output_text.done', { ...at, text, logprobs: [] }),
        this.event('response.content_part.done', { ...at, part: textPart(text) }),
        this.#done(index, messageItem(id, text, 'completed')),
      ]
    }
    const at = { ...place, summary_index: 0 }
    return [
      this.event('response.reasoning_summary_text.done', { ...at, text }),
      this.event('response.reasoning_summary_part.done', { ...at, part: { type: 'summary_text', text } }),
      this.#done(index, reasoningItem(id, text)),
    ]
  }

  #endCall(call: OpenCall): readonly SentEvent[] {
    const { id, index, facts } = call
    const place = { item_id: id, output_index: index }
    const isCustom = this.#isCustom(call)
    const item = callItem(id, facts, isCustom, 'completed')
    if (!isCustom)
      return [
        this.event('response.function_call_arguments.done', {
          ...place,
          name: facts.name,
          arguments: facts.text,
        }),
        this.#done(index, item),
      ]
    const input = customInput(facts.text)
    return [
      this.event('response.custom_tool_call_input.delta', { ...place, delta: input }),
      this.event('response.custom_tool_call_input.done', { ...place, input }),
      this.#done(index, item),
    ]
  }

  #done(index: number, item: object): SentEvent {
    this.#output[index] = item
    return this.event('response.output_item.done', { output_index: index, item })
  }
}
