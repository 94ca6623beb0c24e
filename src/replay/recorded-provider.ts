import type { Clock } from '../clock.ts'
import type { NewId } from '../id.ts'
import {
  type AssistantMessage,
  type ContentBlock,
  type Message,
  type ToolResultMessage,
  textContent,
} from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Provider, Request } from '../provider.ts'
import type { AdapterEvent, Finish } from '../reply/accumulator.ts'
import { adaptedProvider } from '../stream.ts'
import { diverged, recordEnds } from './divergence.ts'
import { quotedStart } from './quoted.ts'
import { isDenied } from './recorded-denial.ts'
import type { RecordedTurn } from './recorded-turns.ts'

export interface RecordedReplies {
  /** The provider's name in its messages. */
  readonly name: string
  readonly turns: readonly RecordedTurn[]
  /** Removes what the loop appends to the content of a result. */
  readonly withoutNotes: (content: readonly ContentBlock[]) => readonly ContentBlock[]
  readonly newId: NewId
  readonly clock: Clock
}

/** Holds the messages that were sent before a reply. The last round has no reply. */
interface Round {
  readonly sent: readonly Message[]
  readonly reply: AssistantMessage | undefined
}

/**
 * Creates a provider that gives the recorded replies, without a network. The number of replies in a request selects the next one.
 * Streams throw `check` if the messages since the last reply are not those recorded (see `divergenceOf`), and `aborted` where the
 * recorded turn was cut short (see `isRecordEnd`).
 */
export function createRecordedProvider({
  name,
  turns,
  withoutNotes,
  newId,
  clock,
}: RecordedReplies): Provider {
  const rounds = roundsOf(turns.flatMap(({ messages }) => messages))
  const starts = new Set<Message>(turns.map(({ message }) => message))
  const said = (message: Message) => saidBy(message, withoutNotes)

  async function* play({ messages }: Request): AsyncGenerator<AdapterEvent, Finish> {
    const number = messages.filter(({ type }) => type === 'assistant').length
    const { sent, reply } = rounds[number] ?? { sent: [], reply: undefined }
    const now = messages.slice(messages.findLastIndex(({ type }) => type === 'assistant') + 1)
    for (const [i, message] of now.entries()) {
      const recorded = sent[i]
      if (recorded !== undefined && said(recorded) === said(message)) continue
      const expected = recorded === undefined ? 'the end' : describe(recorded)
      throw diverged({ expected, came: describe(message) })
    }
    const missing = sent[now.length]
    if (missing !== undefined && !starts.has(missing))
      throw diverged({ expected: describe(missing), came: 'nothing' })
    if (missing !== undefined || reply === undefined) throw recordEnds()
    yield* reply.content.flatMap((block, i) => eventsOf(block, `block_${i}`))
    return finishOf(reply)
  }

  return adaptedProvider(name, (request) => () => play(request), { newId, clock })
}

function roundsOf(messages: readonly Message[]): readonly Round[] {
  const rounds: Round[] = []
  let sent: Message[] = []
  for (const message of messages) {
    if (message.type !== 'assistant') sent.push(message)
    else {
      rounds.push({ sent, reply: message })
      sent = []
    }
  }
  return [...rounds, { sent, reply: undefined }]
}

/** Returns what a message tells the model. All denials are equal: their words depend on who could be asked. */
function saidBy(message: Message, withoutNotes: RecordedReplies['withoutNotes']): string {
  if (message.type !== 'tool_result') return JSON.stringify([message.type, message.content])
  const { toolName, isError, content } = message
  if (isDenied(message)) return JSON.stringify([toolName, 'denied'])
  return JSON.stringify([toolName, isError, withoutNotes(content)])
}

function describe(message: Message): string {
  if (message.type === 'tool_result') return describeResult(message)
  return `the message ${quotedStart(textContent({ content: message.content.slice(-1) }))}`
}

function describeResult(message: ToolResultMessage): string {
  return `${message.isError ? 'the error' : 'the result'} of ${message.toolName} ${quotedStart(textContent(message))}`
}

function eventsOf(block: ContentBlock, id: string): readonly AdapterEvent[] {
  const { providerData } = block
  switch (block.type) {
    case 'text':
    case 'thinking': {
      const { signature, redacted } = block.type === 'thinking' ? block : {}
      const meta = omitUndefined({ signature, redacted, providerData })
      const delta = block.type === 'text' ? block.text : block.thinking
      return [
        ...(delta === '' ? [] : [{ type: `${block.type}_delta`, id, delta } as const]),
        ...(Object.keys(meta).length === 0 ? [] : [{ type: 'block_meta', id, ...meta } as const]),
      ]
    }
    case 'tool_call': {
      const text = block.argumentsRaw ?? JSON.stringify(block.arguments)
      return [
        { type: 'tool_call_begin', id: block.id, name: block.name },
        ...(providerData === undefined ? [] : [{ type: 'block_meta', id: block.id, providerData } as const]),
        { type: 'call_complete', id: block.id, text },
      ]
    }
    default:
      return []
  }
}

function finishOf({
  stopReason,
  rawStopReason,
  usage,
  responseId,
  model,
  providerData,
}: AssistantMessage): Finish {
  return { stopReason, usage, rawStopReason, responseId, model, providerData }
}
