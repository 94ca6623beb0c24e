import { invalidField, type PipeError, unreachable } from './error.ts'
import type { MessageId } from './id.ts'
import type { JsonValue } from './json-value.ts'
import { type StopReason, stopReasons, type Usage } from './usage.ts'

/** Vendor-specific data. Only that vendor's adapter writes and reads it; it is saved byte for byte. */
export interface ProviderData {
  readonly provider: string
  readonly data: JsonValue
}

interface BlockBase {
  readonly providerData?: ProviderData
}

export interface TextBlock extends BlockBase {
  readonly type: 'text'
  readonly text: string
}

export interface ThinkingBlock extends BlockBase {
  readonly type: 'thinking'
  readonly thinking: string
  /** The server's signature of its text, sent back unchanged. */
  readonly signature?: string
  /** The server hid the text; `signature` then holds its opaque form. */
  readonly redacted?: boolean
}

export interface ImageBlock extends BlockBase {
  readonly type: 'image'
  readonly mimeType: string
  /** Base64. */
  readonly data: string
}

export interface DocumentBlock extends BlockBase {
  readonly type: 'document'
  readonly mimeType: string
  /** Base64. */
  readonly data: string
  readonly name?: string
}

export interface ToolCallBlock extends BlockBase {
  readonly type: 'tool_call'
  readonly id: string
  readonly name: string
  /** `null` with `argumentsRaw` if the text is cut or invalid: such a call never runs. */
  readonly arguments: JsonValue
  readonly argumentsRaw?: string
}

export type ContentBlock = TextBlock | ThinkingBlock | ImageBlock | DocumentBlock | ToolCallBlock

interface MessageBase {
  readonly id: MessageId
  readonly content: readonly ContentBlock[]
  /** ISO 8601, UTC. */
  readonly timestamp: string
  readonly metadata?: Readonly<Record<string, string>>
  /** Set only if this message does not follow the one before it. */
  readonly parentId?: MessageId
  readonly providerData?: ProviderData
}

export interface UserMessage extends MessageBase {
  readonly type: 'user'
}

export interface AssistantMessage extends MessageBase {
  readonly type: 'assistant'
  /** Absent only in files that lack it. */
  readonly provider?: string
  readonly model?: string
  readonly stopReason: StopReason
  /** The server's own stop reason, if any. */
  readonly rawStopReason?: string
  readonly usage: Usage
  readonly responseId?: string
  /** The request's id in the server's own logs, from the response headers. */
  readonly requestId?: string
}

export interface ToolResultMessage extends MessageBase {
  readonly type: 'tool_result'
  readonly toolCallId: string
  readonly toolName: string
  readonly isError: boolean
  /** For users and audits (diff, exit code, hashes). Saved and shown, never sent to the model. */
  readonly details?: JsonValue
}

export type Message = UserMessage | AssistantMessage | ToolResultMessage

const allowedBlocks: Readonly<Record<Message['type'], readonly ContentBlock['type'][]>> = {
  user: ['text', 'image', 'document'],
  assistant: ['text', 'thinking', 'tool_call', 'image'],
  tool_result: ['text', 'image', 'document'],
}

const isoTime = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const hour = 3_600_000
const century = 100 * 365.25 * 24 * hour

/**
 * Validates a new message from the user, a model or a program; never on load. `now` is milliseconds since 1970. Throws `invalid`
 * with `details.field` and `details.reason`.
 */
export function validateMessage(message: Message, now: number): void {
  const allowed: readonly string[] | undefined = allowedBlocks[message.type]
  if (allowed === undefined) throw invalid('type', `there is no message of type ${String(message.type)}`)
  if (message.content.length === 0)
    throw invalid('content', `a ${message.type} message needs at least one block`)
  for (const block of message.content) {
    if (!allowed.includes(block.type))
      throw invalid('content', `a ${message.type} message cannot hold ${block.type}`)
    if (block.type === 'tool_call' && block.name === '')
      throw invalid('content', 'a tool call needs a tool name')
  }
  const fault = timestampFault(message.timestamp, now)
  if (fault !== undefined) throw invalid('timestamp', fault)
  switch (message.type) {
    case 'user':
      if (isBlank(message.content)) throw invalid('content', 'the message is empty')
      return
    case 'tool_result':
      if (message.toolCallId === '') throw invalid('tool_call_id', 'a tool result needs the id of its call')
      return
    case 'assistant':
      if (!stopReasons.includes(message.stopReason))
        throw invalid('stop_reason', `${String(message.stopReason)} is none of ${stopReasons.join(', ')}`)
      return
    default:
      unreachable(message)
  }
}

/** Returns what is wrong with the time of a new message. `now` is milliseconds since 1970. */
export function timestampFault(timestamp: string, now: number): string | undefined {
  const time = readTime(timestamp)
  if (Number.isNaN(time)) return `not an ISO 8601 time: ${timestamp}`
  if (time > now + hour) return `more than an hour in the future: ${timestamp}`
  if (time < now - century) return `more than 100 years in the past: ${timestamp}`
  return undefined
}

function readTime(timestamp: string): number {
  const [, year, month, day] = isoTime.exec(timestamp) ?? []
  if (day === undefined) return Number.NaN
  // `Date.parse` takes the 30th of February for a day in March.
  const found = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return found.getUTCDate() === Number(day) ? Date.parse(timestamp) : Number.NaN
}

function invalid(field: string, reason: string): PipeError {
  return invalidField(field, reason, `invalid message: ${reason}`)
}

function isBlank(content: readonly ContentBlock[]): boolean {
  return content.every((block) => block.type === 'text' && block.text.trim() === '')
}

/** Returns the calls of a message in the model's order. */
export function toolCalls(message: Message): readonly ToolCallBlock[] {
  return message.content.filter((block) => block.type === 'tool_call')
}

export function hasToolCalls(message: Message): boolean {
  return message.content.some((block) => block.type === 'tool_call')
}

/** A content block, as far as its text matters. */
interface MaybeText {
  readonly type: string
  readonly text?: string | undefined
}

/** Stands in a tool result for output that is empty, because servers reject empty results. */
export const noOutput = '(no output)'

/** Returns the output that a text of a tool result holds. Empty for the mark. */
export function outputText(text: string): string {
  return text === noOutput ? '' : text
}

/** Returns content for a tool result: these blocks, or the mark if there are none. */
export function resultContent(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
  return blocks.length > 0 ? blocks : [{ type: 'text', text: noOutput }]
}

/** Joins the text blocks of a message. */
export function textContent({ content }: { readonly content: readonly MaybeText[] }): string {
  return content.map(({ type, text = '' }) => (type === 'text' ? text : '')).join('')
}

/** Returns the number of blocks that the program put before the message's own: the environment and instruction files. */
export function contextLength(message: { readonly metadata?: Message['metadata'] | undefined }): number {
  return Number(message.metadata?.['context'] ?? 0)
}

/** Returns the text of a message without the blocks that the program put before it. */
export function spokenText(message: {
  readonly content: readonly MaybeText[]
  readonly metadata?: Message['metadata'] | undefined
}): string {
  return textContent({ content: message.content.slice(contextLength(message)) })
}

/** Whether a message stands for earlier ones in requests: it holds their summary. */
export function isMark({ type, metadata }: Pick<Message, 'type' | 'metadata'>): boolean {
  return type === 'user' && (metadata?.['compacted_through'] ?? metadata?.['pruned_through']) !== undefined
}

/**
 * Whether pipe wrote a user message: a mark, the summary of a branch that the user left, the report of an elf, the words of a hook, the text
 * of a skill or command.
 */
export function isLoopMessage(message: Pick<Message, 'type' | 'metadata'>): boolean {
  return (
    isMark(message) ||
    message.metadata?.['branch_summary'] !== undefined ||
    isElfReport(message) ||
    isHookMessage(message) ||
    isCalledText(message)
  )
}

/** The metadata field of a message that calls a skill or command by its name, whose file asks for more than its text. */
export const callField = 'calls'

/** The metadata field of a message with the text of a skill or command in which the output of its commands stands. */
export const calledField = 'called_text'

/** Whether a message is the text of a skill or command that the message before it calls. */
export function isCalledText({ metadata }: Pick<Message, 'metadata'>): boolean {
  return metadata?.[calledField] !== undefined
}

/** The metadata field of a message with which a hook lets a turn go on. */
export const hookField = 'hook_message'

/** Whether a message is what a hook told the model at the end of a turn. */
export function isHookMessage({ metadata }: Pick<Message, 'metadata'>): boolean {
  return metadata?.[hookField] !== undefined
}

/** Marks a message as the result of an elf that worked in the background. */
export function asElfReport(message: UserMessage): UserMessage {
  return { ...message, metadata: { ...message.metadata, elf_report: 'true' } }
}

/** Whether a message is the result of an elf that worked in the background. */
export function isElfReport({ metadata }: Pick<Message, 'metadata'>): boolean {
  return metadata?.['elf_report'] !== undefined
}

/** The metadata field of a tool result that names the files, or servers, whose instructions its last block holds, a line each. */
export const instructionField = 'instructions'

/** Returns the instructions that the program added to a tool result, and where they are from; `undefined` for other messages. */
export function instructionsIn({
  type,
  content,
  metadata,
}: Pick<Message, 'type' | 'content' | 'metadata'>):
  | { readonly files: readonly string[]; readonly block: ContentBlock }
  | undefined {
  const files = type === 'tool_result' ? metadata?.[instructionField] : undefined
  const block = content.at(-1)
  return files === undefined || block === undefined ? undefined : { files: files.split('\n'), block }
}

/** Returns what a tool itself gave, without the instructions behind it. */
export function givenContent(
  message: Pick<Message, 'type' | 'content' | 'metadata'>,
): readonly ContentBlock[] {
  return instructionsIn(message) === undefined ? message.content : message.content.slice(0, -1)
}

/** The metadata field of a run's first user message that holds the run's manifest as JSON. */
export const manifestField = 'manifest'
