import { toolSchema } from '../../http/dialect/tool-schema.ts'
import type { JsonObject } from '../../json-value.ts'
import type { Quirks } from '../../machine/model-server.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { formatToSend, type ReplyFormat, type Request, type ToolChoice } from '../../provider.ts'
import type { Tool } from '../../tool.ts'
import { effort } from '../effort.ts'
import { schemaFields } from '../reply-format.ts'
import { type ChatMessage, chatMessages } from './messages.ts'

export interface ChatBody {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly stream: true
  readonly stream_options?: { readonly include_usage: true }
  readonly tools?: readonly ChatTool[]
  readonly tool_choice?: ChatChoice
  readonly temperature?: number
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly reasoning_effort?: string
  readonly stop?: readonly string[]
  readonly response_format?: JsonObject
  readonly parallel_tool_calls?: boolean
}

interface ChatTool {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonObject }
}

type ChatChoice = string | { readonly type: 'function'; readonly function: { readonly name: string } }

/** Builds the body of a request to `provider`. Equal requests give equal bytes, so that caches hit. */
export function chatBody(request: Request, provider: string, quirks: Quirks = {}): ChatBody {
  const { model, systemPrompt, tools, toolChoice, maxTokens, stop, parallelCalls } = request
  const { maxTokensField = 'max_tokens', streamOptions = true, systemRole = 'system' } = quirks
  const format = formatToSend(request, quirks.schemaBesideTools === true)
  const system: readonly ChatMessage[] =
    systemPrompt === '' ? [] : [{ role: systemRole, content: systemPrompt }]
  return {
    model,
    messages: [...system, ...chatMessages(request, provider, quirks)],
    stream: true,
    ...(streamOptions ? { stream_options: { include_usage: true } } : {}),
    ...(tools.length > 0 ? { tools: tools.map(chatTool), ...chosen(toolChoice, quirks) } : {}),
    ...omitUndefined({
      temperature: temperature(request, quirks),
      [maxTokensField]: maxTokens,
      reasoning_effort: effort(request, quirks),
      stop,
      response_format: format && chatFormat(format),
      parallel_tool_calls: tools.length > 0 ? parallelCalls : undefined,
    }),
  }
}

function chosen(
  choice: ToolChoice = 'auto',
  { toolChoiceRequired = 'required' }: Quirks,
): Pick<ChatBody, 'tool_choice'> {
  if (choice === 'auto') return {}
  if (typeof choice === 'object')
    return { tool_choice: { type: 'function', function: { name: choice.tool } } }
  return { tool_choice: choice === 'required' ? toolChoiceRequired : choice }
}

function chatFormat(format: ReplyFormat): JsonObject {
  return format.type === 'json'
    ? { type: 'json_object' }
    : { type: 'json_schema', json_schema: schemaFields(format) }
}

function temperature({ temperature, info }: Request, quirks: Quirks): number | undefined {
  const refused = quirks.temperatureWithThinking === false && info?.thinking?.type === 'effort'
  return refused ? undefined : temperature
}

function chatTool({ name, description, parameters }: Tool): ChatTool {
  return { type: 'function', function: { name, description, parameters: toolSchema(parameters) } }
}
