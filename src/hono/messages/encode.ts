import type { AssistantMessage, ContentBlock } from '../../message.ts'
import type { StopReason } from '../../usage.ts'
import { emptyReply, replyTokens } from '../../wire/messages-api.ts'
import type { AnswerEnd, AnswerPart } from '../chat/answer.ts'
import type { AnswerFormat } from '../chat/answer-response.ts'
import type { SentEvent } from '../event-stream.ts'
import { messagesErrorBody } from '../refusal.ts'

const stopReasons: Readonly<Record<StopReason, string>> = {
  end_turn: 'end_turn',
  unknown: 'end_turn',
  length: 'max_tokens',
  tool_use: 'tool_use',
  refusal: 'refusal',
  // These end with an error instead.
  error: 'end_turn',
  aborted: 'end_turn',
}

export interface MessageHead {
  readonly id: string
  readonly model: string
}

/** Writes an answer as the Messages API does. */
export function messagesFormat(head: MessageHead, tellsThinking: boolean): AnswerFormat {
  const events = new MessageEvents(head, tellsThinking)
  return {
    part: (part) => events.encode(part),
    failure: (facts) => named(messagesErrorBody(facts)),
    whole: ({ message, stopReason, usage }) => ({
      ...emptyMessage(head),
      content: encodeContent(message, tellsThinking),
      stop_reason: stopReasons[stopReason],
      usage: replyTokens(usage),
    }),
  }
}

function emptyMessage(head: MessageHead) {
  return emptyReply(head, { input_tokens: 0, output_tokens: 0 })
}

function encodeContent(message: AssistantMessage | undefined, tellsThinking: boolean): readonly object[] {
  return (message?.content ?? []).flatMap((block) => encodeBlock(block, tellsThinking))
}

function encodeBlock(block: ContentBlock, tellsThinking: boolean): readonly object[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }]
    case 'thinking':
      return tellsThinking && block.redacted !== true ? [thinkingBlock(block.thinking)] : []
    case 'tool_call':
      return [{ type: 'tool_use', id: block.id, name: block.name, input: block.arguments ?? {} }]
    default:
      return []
  }
}

/** Without a signature: what comes back is not sent on. */
function thinkingBlock(thinking: string) {
  return { type: 'thinking', thinking, signature: '' }
}

function named(event: { readonly type: string; readonly [field: string]: unknown }): SentEvent {
  return { event: event.type, data: JSON.stringify(event) }
}

type Spoken = 'text' | 'thinking'

/** Writes the parts of one answer as events. Calls stay open to the end, as their pieces may alternate. */
class MessageEvents {
  readonly #head: MessageHead
  readonly #tellsThinking: boolean
  /** Open blocks of calls by their place among the calls. */
  readonly #calls = new Map<number, number>()
  #spoken: { readonly type: Spoken; readonly index: number } | undefined
  #blocks = 0

  constructor(head: MessageHead, tellsThinking: boolean) {
    this.#head = head
    this.#tellsThinking = tellsThinking
  }

  encode(part: AnswerPart): readonly SentEvent[] {
    switch (part.type) {
      case 'begin':
        return [named({ type: 'message_start', message: emptyMessage(this.#head) })]
      case 'text':
        return this.#speak('text', { type: 'text', text: '' }, { type: 'text_delta', text: part.text })
      case 'thinking':
        return this.#tellsThinking
          ? this.#speak('thinking', thinkingBlock(''), { type: 'thinking_delta', thinking: part.text })
          : []
      case 'call_begin': {
        const { index: place, id, name } = part
        const closed = this.#close()
        const index = this.#blocks++
        this.#calls.set(place, index)
        return [...closed, start(index, { type: 'tool_use', id, name, input: {} })]
      }
      case 'call_delta': {
        const index = this.#calls.get(part.index) ?? 0
        return [delta(index, { type: 'input_json_delta', partial_json: part.delta })]
      }
      case 'events':
        return []
      case 'end':
        return this.#end(part.end)
    }
  }

  #speak(type: Spoken, block: object, piece: object): readonly SentEvent[] {
    if (this.#spoken?.type === type) return [delta(this.#spoken.index, piece)]
    const closed = this.#close()
    const index = this.#blocks++
    this.#spoken = { type, index }
    return [...closed, start(index, block), delta(index, piece)]
  }

  #close(): readonly SentEvent[] {
    const spoken = this.#spoken
    this.#spoken = undefined
    if (spoken === undefined) return []
    // Readers of this API wait for the signature of a thought before its end.
    const signature = { type: 'signature_delta', signature: '' }
    const signed = spoken.type === 'thinking' ? [delta(spoken.index, signature)] : []
    return [...signed, stop(spoken.index)]
  }

  #end({ stopReason, usage }: AnswerEnd): readonly SentEvent[] {
    const closed = [...this.#close(), ...[...this.#calls.values()].map(stop)]
    const told = { stop_reason: stopReasons[stopReason], stop_sequence: null }
    return [
      ...closed,
      named({ type: 'message_delta', delta: told, usage: replyTokens(usage) }),
      named({ type: 'message_stop' }),
    ]
  }
}

function start(index: number, block: object): SentEvent {
  return named({ type: 'content_block_start', index, content_block: block })
}

function delta(index: number, piece: object): SentEvent {
  return named({ type: 'content_block_delta', index, delta: piece })
}

function stop(index: number): SentEvent {
  return named({ type: 'content_block_stop', index })
}
