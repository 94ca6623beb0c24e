import { invalidField, type PipeError } from './error.ts'
import type { StreamEvent } from './event.ts'
import type { JsonObject } from './json-value.ts'
import { type AssistantMessage, type Message, toolCalls } from './message.ts'
import type { ModelInfo } from './model.ts'
import type { Tool } from './tool.ts'

export type ThinkingLevel = 'off' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh'

export type ToolChoice = 'auto' | 'required' | 'none' | { readonly tool: string }

/** The form of a reply's text: any JSON, or JSON of a schema. */
export type ReplyFormat =
  | { readonly type: 'json' }
  | {
      readonly type: 'schema'
      readonly name: string
      readonly schema: JsonObject
      readonly description?: string | undefined
      readonly isStrict?: boolean | undefined
    }

/** The complete input of one reply. Absent options mean the provider's defaults. */
export interface Request {
  /** Empty: the provider's default. */
  readonly model: string
  readonly systemPrompt: string
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  /** Tool use: optional (`auto`, the default), at least one call, none, or the named tool. */
  readonly toolChoice?: ToolChoice | undefined
  /** Known facts about the model. */
  readonly info?: ModelInfo | undefined
  readonly maxTokens?: number | undefined
  /** 0 to 2. */
  readonly temperature?: number | undefined
  readonly thinking?: ThinkingLevel | undefined
  /** Texts before which the reply ends. A server that has no such thing refuses them with `invalid`. */
  readonly stop?: readonly string[] | undefined
  /** A server that has no such thing refuses it with `invalid`. Default: any text. */
  readonly format?: ReplyFormat | undefined
  /** Whether the format is left out while calls are possible, for a server that would then make none. Default: false. */
  readonly formatMayWait?: boolean | undefined
  /** Whether a reply may hold several calls. Left out for a server that has no such thing. */
  readonly parallelCalls?: boolean | undefined
}

/**
 * One reply, pulled by one consumer: a second iterator, or two `next()` at once, throws `conflict`. `next()` throws errors, and
 * every later `next()` throws the same.
 */
export interface Stream extends AsyncIterable<StreamEvent>, AsyncDisposable {
  next(): Promise<IteratorResult<StreamEvent, undefined>>
  /**
   * Returns the reply so far. Throws `conflict` before the first `next()`. After an error it is the partial message with stop
   * reason `error` or `aborted`; its content may be empty.
   */
  message(): AssistantMessage
  /** Closes the connection and unblocks a pending `next()`. May be called at any time and repeatedly. */
  close(): Promise<void>
}

/** Access to models. `stream` connects at the first `next()`, but throws `invalid` at once for an invalid request. */
export interface Provider {
  readonly name: string
  stream(request: Request, options: { readonly signal: AbortSignal }): Stream
}

/** Checks the rules common to all providers; adapters may add more. Throws `invalid` with `details.field`. */
export function validateRequest(request: Request): void {
  const { temperature, maxTokens, messages, tools, toolChoice } = request
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 2)) {
    throw invalid('temperature', `temperature must be between 0 and 2, not ${temperature}`)
  }
  if (maxTokens !== undefined && !(Number.isInteger(maxTokens) && maxTokens > 0)) {
    throw invalid('max_tokens', `max tokens must be a whole number above 0, not ${maxTokens}`)
  }
  if (messages.length === 0) throw invalid('messages', 'a request needs at least one message')
  const names = new Set(tools.map((tool) => tool.name))
  if (names.size !== tools.length) throw invalid('tools', 'two tools have the same name')
  if (typeof toolChoice === 'object' && !names.has(toolChoice.tool))
    throw invalid('tool_choice', `there is no tool ${toolChoice.tool} to choose`)
  validateHistory(messages)
}

/** Checks that each call has exactly one result before the next other message, and each result a call. Throws `invalid`. */
export function validateHistory(messages: readonly Message[]): void {
  let open = new Set<string>()
  for (const message of messages) {
    if (message.type === 'tool_result') {
      if (!open.delete(message.toolCallId)) {
        throw invalid('messages', `tool result ${message.toolCallId} has no call in the message before it`)
      }
      continue
    }
    requireNone(open)
    const calls = toolCalls(message)
    open = new Set(calls.map((call) => call.id))
    if (open.size !== calls.length) throw invalid('messages', 'two calls of one message have the same id')
  }
  requireNone(open)
}

function requireNone(open: ReadonlySet<string>): void {
  for (const id of open) throw invalid('messages', `tool call ${id} has no result`)
}

/** Refuses an option that a dialect does not have. */
export function unsupported(field: 'stop' | 'response_format', reason: string): PipeError {
  return invalid(field, `${reason}; leave out ${field}, or choose another model`)
}

function invalid(field: string, reason: string): PipeError {
  return invalidField(field, reason, `invalid request: ${reason}`)
}

/** Returns the format to ask for. `besideTools`: the server still makes calls if it is asked for one. */
export function formatToSend(
  { format, formatMayWait, tools, toolChoice }: Request,
  besideTools: boolean,
): ReplyFormat | undefined {
  const mayCall = tools.length > 0 && toolChoice !== 'none'
  return formatMayWait === true && mayCall && !besideTools ? undefined : format
}

/** Requests a reply and waits for all of it. Throws what the stream throws. */
export async function complete(
  provider: Provider,
  request: Request,
  options: { readonly signal: AbortSignal },
): Promise<AssistantMessage> {
  const stream = provider.stream(request, options)
  try {
    while (!(await stream.next()).done);
    return stream.message()
  } finally {
    await stream.close()
  }
}
