import type { PlanEntry, SessionUpdate } from '@agentclientprotocol/sdk'
import type { Clock } from '../clock.ts'
import type { Watched } from '../conversation.ts'
import type { AgentEvent } from '../event.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import { printable } from '../terminal/printable.ts'
import type { CallWords } from './call-words.ts'

/** Characters of the output of a running command that an editor shows: its end. */
const shownOutput = 4_000

/** Milliseconds between two updates of one running command. */
const outputMs = 500

interface Output {
  text: string
  /** Milliseconds of the monotonic clock. */
  toldAt: number
}

export interface TurnUpdatesOptions {
  readonly facts: CallWords
  readonly clock: Clock
  /** Whether the editor shows notices. */
  readonly hasNotices: boolean
  /** Returns how full the model's context is, if its size is known. */
  usage(): SessionUpdate | undefined
}

/** Turns what a conversation tells into what an editor shows. */
export class TurnUpdates {
  readonly #options: TurnUpdatesOptions
  /** The output of the running commands, by call. */
  readonly #outputs = new Map<string, Output>()

  constructor(options: TurnUpdatesOptions) {
    this.#options = options
  }

  /** Returns the updates for one fact. The work of elves is part of the call that started them. */
  of(watched: Watched): readonly SessionUpdate[] {
    return watched.type === 'event' && watched.isOwn ? this.#ofEvent(watched.event) : []
  }

  #ofEvent(event: AgentEvent): readonly SessionUpdate[] {
    switch (event.type) {
      case 'text_delta':
        return [{ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: event.delta } }]
      case 'thinking_delta':
        return [{ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: event.delta } }]
      case 'tool_start': {
        const { callId: toolCallId, name } = event
        const facts = this.#options.facts.describe(name, event.arguments)
        return [{ sessionUpdate: 'tool_call', toolCallId, name, status: 'in_progress', ...facts }]
      }
      case 'tool_output':
        return this.#outputOf(event.callId, event.chunk)
      case 'tool_end':
        this.#outputs.delete(event.callId)
        return [endOf(event, this.#options.facts), ...planOf(event.details)]
      case 'round_end': {
        const usage = this.#options.usage()
        return usage === undefined ? [] : [usage]
      }
      case 'retry':
        return event.discarded.length === 0 ? this.#notice(event.reason) : [aside(`again: ${event.reason}`)]
      case 'fallback':
        return [aside(`again: ${event.to} goes on: ${event.reason}`)]
      case 'compaction':
        return this.#aside(
          `summarised the conversation, ${event.tokensBefore} to ${event.tokensAfter} tokens`,
        )
      case 'notice':
        return this.#notice(event.text)
      default:
        return []
    }
  }

  #outputOf(toolCallId: string, chunk: string): readonly SessionUpdate[] {
    const now = this.#options.clock.monotonic()
    const output = this.#outputs.get(toolCallId) ?? { text: '', toldAt: Number.NEGATIVE_INFINITY }
    this.#outputs.set(toolCallId, output)
    output.text = (output.text + chunk).slice(-shownOutput)
    if (now - output.toldAt < outputMs) return []
    output.toldAt = now
    const text = printable(output.text)
    return [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId,
        content: [{ type: 'content', content: { type: 'text', text } }],
      },
    ]
  }

  /** Tells what the user must learn, in the reply if the editor has no notices. */
  #aside(words: string): readonly SessionUpdate[] {
    return this.#options.hasNotices ? this.#notice(words) : [aside(words)]
  }

  #notice(title: string): readonly SessionUpdate[] {
    return this.#options.hasNotices
      ? [{ sessionUpdate: 'notice', severity: 'info', title: printable(title) }]
      : []
  }
}

function endOf(
  { callId, isError, content, details }: Extract<AgentEvent, { type: 'tool_end' }>,
  facts: CallWords,
): SessionUpdate {
  const status = isError ? 'failed' : 'completed'
  return { sessionUpdate: 'tool_call_update', toolCallId: callId, status, ...facts.result(content, details) }
}

/** Tells something between the words of the model, such as where a reply begins again: an editor cannot take text back. */
function aside(words: string): SessionUpdate {
  const text = `\n\n*(${printable(words)})*\n\n`
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
}

const planStatus: Readonly<Record<string, PlanEntry['status']>> = {
  pending: 'pending',
  in_progress: 'in_progress',
  done: 'completed',
}

/** The list of what is to be done, if a call's details hold one. */
export function planOf(details: JsonValue | undefined): readonly SessionUpdate[] {
  if (!isJsonObject(details) || !Array.isArray(details['todo'])) return []
  const entries = details['todo'].flatMap((item): readonly PlanEntry[] => {
    if (!isJsonObject(item) || typeof item['text'] !== 'string') return []
    const status = planStatus[String(item['status'])] ?? 'pending'
    return [{ content: printable(item['text']), priority: 'medium', status }]
  })
  return [{ sessionUpdate: 'plan', entries }]
}
