import type {
  CacheControlEphemeral,
  ContentBlockParam,
  JSONOutputFormat,
  MessageCreateParamsStreaming,
  Tool as WireTool,
  ToolChoice as WireToolChoice,
} from '@anthropic-ai/sdk/resources/messages/messages'
import { toolSchema } from '../http/dialect/tool-schema.ts'
import { withoutUnsupported } from '../media/media-support.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { type ReplyFormat, type Request, unsupported } from '../provider.ts'
import type { Tool } from '../tool.ts'
import { answerSchema } from './answer-schema.ts'
import type { ThoughtBinding } from './binding.ts'
import { isThought, type WireMessage } from './messages.ts'
import { modelTraits } from './models.ts'
import { thinkingFields } from './thinking.ts'
import type { WireHistory } from './wire-history.ts'

export type MessagesBody = MessageCreateParamsStreaming

const cache_control: CacheControlEphemeral = { type: 'ephemeral' }

export interface Composed {
  readonly body: MessagesBody
  /** Gives the data to keep with the thoughts of the reply. */
  readonly binding: ThoughtBinding
}

/** Builds a request after the one that `history` holds, if any. Equal requests give equal bytes, so that caches hit. */
export function composeMessages(request: Request, history: WireHistory): Composed {
  const shown = withoutUnsupported(request.messages, request.info)
  const { messages, binding } = history.convert(request, shown)
  return { body: messagesBody(request, messages), binding }
}

function messagesBody(request: Request, messages: readonly WireMessage[]): MessagesBody {
  const { model, systemPrompt, tools, temperature, maxTokens, info, stop, format } = request
  const tool_choice = tools.length > 0 ? wireChoice(request) : undefined
  // The server refuses thinking before a required call.
  const level =
    tool_choice === undefined || ['none', 'auto'].includes(tool_choice.type) ? request.thinking : undefined
  const {
    max_tokens,
    thinking,
    output_config: effort,
  } = thinkingFields(level, maxTokens, modelTraits(model, info), messages)
  const form = format && outputFormat(format)
  const output_config = form === undefined ? effort : { ...effort, format: form }
  return {
    model,
    max_tokens,
    stream: true,
    ...(systemPrompt === '' ? {} : { system: [{ type: 'text', text: systemPrompt, cache_control }] }),
    ...(tools.length > 0 ? { tools: tools.map((tool, i) => wireTool(tool, i === tools.length - 1)) } : {}),
    messages: withBreakpoints(messages),
    ...omitUndefined({
      tool_choice,
      thinking,
      output_config,
      stop_sequences: stop && [...stop],
      temperature: thinking === undefined ? temperature : undefined,
    }),
  }
}

function wireChoice({
  toolChoice: choice = 'auto',
  parallelCalls = true,
}: Request): WireToolChoice | undefined {
  const single = parallelCalls ? {} : { disable_parallel_tool_use: true }
  if (choice === 'auto') return parallelCalls ? undefined : { type: 'auto', ...single }
  if (choice === 'none') return { type: 'none' }
  return typeof choice === 'object'
    ? { type: 'tool', name: choice.tool, ...single }
    : { type: 'any', ...single }
}

/** Returns nothing for a schema that the server has no words for, such as a map of any names. */
function outputFormat(format: ReplyFormat): JSONOutputFormat | undefined {
  if (format.type === 'json')
    throw unsupported('response_format', 'the Messages API answers with JSON of a schema only')
  const schema = answerSchema(format.schema)
  return schema && { type: 'json_schema', schema }
}

function wireTool({ name, description, parameters }: Tool, last: boolean): WireTool {
  return {
    name,
    description,
    input_schema: { ...toolSchema(parameters) },
    ...(last ? { cache_control } : {}),
  }
}

/**
 * Marks the last two user messages as cache breakpoints. The previous request ended at the first one, so its cache is found however
 * many blocks a round adds. With system and tools that makes four, the maximum.
 */
function withBreakpoints(messages: readonly WireMessage[]): WireMessage[] {
  const users = messages.filter(({ role }) => role === 'user').slice(-2)
  return messages.map((message) => {
    if (!users.includes(message)) return message
    const { role, content } = message
    return { role, content: content.map((block, i) => (i === content.length - 1 ? marked(block) : block)) }
  })
}

/** Adds a cache breakpoint to a block, except to thinking, which cannot hold one. */
function marked(block: ContentBlockParam): ContentBlockParam {
  return isThought(block) ? block : { ...block, cache_control }
}
