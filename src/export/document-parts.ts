import { minuteOf } from '../characters/shown-time.ts'
import { unreachable } from '../error.ts'
import { formatBytes } from '../frontend/words/amount.ts'
import { callTarget } from '../frontend/words/call-target.ts'
import { attachmentNote } from '../frontend/words/message-note.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import {
  type AssistantMessage,
  type ContentBlock,
  type DocumentBlock,
  type ImageBlock,
  type Message,
  spokenText,
  type ToolCallBlock,
  type ToolResultMessage,
  textContent,
  type UserMessage,
} from '../message.ts'
import { redactJson } from '../redaction/redaction.ts'
import type { StopReason } from '../usage.ts'
import { modelOf, type Reading } from './reading.ts'

/** An image or document. */
export interface Media {
  /** `image: image/png, 34 kB` */
  readonly label: string
  /** As it was saved, so perhaps no valid type and no base64. */
  readonly block: ImageBlock | DocumentBlock
}

/** A call of a tool, with its result. */
export interface CallPart {
  readonly type: 'call'
  readonly name: string
  /** Names its target in one line. May be empty. */
  readonly target: string
  /** Text that is no JSON stands here as a string. */
  readonly arguments: JsonValue
  readonly outcome: 'done' | 'failed' | 'unanswered'
  readonly output: string
  /** The unified diff of the file that it changed. */
  readonly diff?: string | undefined
  readonly media: readonly Media[]
}

/** A part of a conversation. All text is clean; the blocks of media are not. */
export type DocumentPart =
  | {
      readonly type: 'prompt'
      readonly text: string
      /** UTC, to the minute. */
      readonly time: string
      /** The names of attached files. */
      readonly attached?: string | undefined
      readonly media: readonly Media[]
    }
  /** The model that speaks from here on, if it changes. */
  | { readonly type: 'speaker'; readonly model: string }
  /** Markdown of the model. */
  | { readonly type: 'reply'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'media'; readonly media: readonly Media[] }
  /** A remark of the program, such as a summary or the reason why a reply ends. */
  | { readonly type: 'note'; readonly text: string }
  | CallPart

/** Yields the parts of messages whose results are in the order of their calls. */
export function* exportedParts(messages: readonly Message[], reading: Reading): Generator<DocumentPart> {
  let speaker: string | undefined
  for (let at = 0; at < messages.length; ) {
    const message = messages[at++]
    switch (message?.type) {
      case undefined:
        return
      case 'user':
        yield reading.isLoopMessage(message) ? markPart(message, reading) : promptPart(message, reading)
        break
      case 'assistant': {
        const model = modelOf(message)
        if (model !== undefined && speaker !== undefined && model !== speaker)
          yield { type: 'speaker', model: reading.clean(model) }
        speaker = model ?? speaker
        const results = resultsFrom(messages, at)
        at += results.length
        yield* replyParts(message, results, reading)
        break
      }
      case 'tool_result':
        yield lostCallPart(message, reading)
        break
      default:
        return unreachable(message)
    }
  }
}

function resultsFrom(messages: readonly Message[], start: number): readonly ToolResultMessage[] {
  const results: ToolResultMessage[] = []
  for (let at = start; ; at++) {
    const message = messages[at]
    if (message?.type !== 'tool_result') return results
    results.push(message)
  }
}

function promptPart(message: UserMessage, { clean }: Reading): DocumentPart {
  const attached = attachmentNote(message.metadata)
  return {
    type: 'prompt',
    text: clean(spokenText(message)),
    time: minuteOf(clean(message.timestamp)),
    attached: attached === undefined ? undefined : clean(attached),
    media: mediaOf(message.content, clean),
  }
}

function markPart(message: UserMessage, { clean }: Reading): DocumentPart {
  return { type: 'note', text: clean(spokenText(message)) }
}

/** Why a reply ended before the model meant it to. */
const endings: Readonly<Partial<Record<StopReason, string>>> = {
  aborted: 'interrupted',
  error: 'the reply broke off with an error',
  length: 'the reply was cut at the length limit',
  refusal: 'the model refused',
}

function* replyParts(
  message: AssistantMessage,
  results: readonly ToolResultMessage[],
  reading: Reading,
): Generator<DocumentPart> {
  const left = [...results]
  for (const block of message.content) {
    switch (block.type) {
      case 'text':
      case 'thinking': {
        const text = reading.clean(block.type === 'text' ? block.text : block.thinking)
        if (text.trim() !== '') yield { type: block.type === 'text' ? 'reply' : 'thinking', text }
        break
      }
      case 'image':
      case 'document':
        yield { type: 'media', media: mediaOf([block], reading.clean) }
        break
      case 'tool_call': {
        const at = left.findIndex(({ toolCallId }) => toolCallId === block.id)
        const [result] = at < 0 ? [] : left.splice(at, 1)
        yield callPart(block, result, reading)
        break
      }
      default:
        unreachable(block)
    }
  }
  for (const result of left) yield lostCallPart(result, reading)
  const ending = endings[message.stopReason]
  if (ending !== undefined) yield { type: 'note', text: ending }
}

type Call = Pick<ToolCallBlock, 'name' | 'arguments' | 'argumentsRaw'>

function callPart(call: Call, result: ToolResultMessage | undefined, { clean }: Reading): CallPart {
  const args = redactJson(call.argumentsRaw ?? call.arguments, clean)
  const name = clean(call.name)
  const diff = isJsonObject(result?.details) ? result.details['diff'] : undefined
  return {
    type: 'call',
    name,
    target: callTarget(args),
    arguments: args,
    outcome: result === undefined ? 'unanswered' : result.isError ? 'failed' : 'done',
    output: result === undefined ? '' : clean(textContent(result)).trimEnd(),
    diff: typeof diff === 'string' && diff !== '' ? clean(diff) : undefined,
    media: result === undefined ? [] : mediaOf(result.content, clean),
  }
}

/** Makes a part of a result whose call is lost. */
function lostCallPart(result: ToolResultMessage, reading: Reading): CallPart {
  return callPart({ name: result.toolName, arguments: {} }, result, reading)
}

function mediaOf(content: readonly ContentBlock[], clean: Reading['clean']): readonly Media[] {
  return content.flatMap((block) =>
    block.type === 'image' || block.type === 'document' ? [{ label: clean(labelOf(block)), block }] : [],
  )
}

function labelOf(block: ImageBlock | DocumentBlock): string {
  const name = block.type === 'document' && block.name !== undefined ? `${block.name}, ` : ''
  return `${block.type}: ${name}${block.mimeType}, ${formatBytes(Math.floor((block.data.length * 3) / 4))}`
}
