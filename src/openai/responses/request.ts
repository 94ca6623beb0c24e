import { toolSchema } from '../../http/dialect/tool-schema.ts'
import type { JsonObject } from '../../json-value.ts'
import type { Quirks } from '../../machine/model-server.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { type ReplyFormat, type Request, type ToolChoice, unsupported } from '../../provider.ts'
import type { Tool } from '../../tool.ts'
import { effort } from '../effort.ts'
import { schemaFields } from '../reply-format.ts'
import { inputItems } from './items.ts'

export interface ResponsesBody {
  readonly model: string
  readonly instructions?: string
  readonly input: readonly JsonObject[]
  readonly stream: true
  readonly store: false
  readonly include?: readonly string[]
  readonly tools?: readonly FunctionTool[]
  readonly tool_choice?: string | { readonly type: 'function'; readonly name: string }
  readonly max_output_tokens?: number
  readonly temperature?: number
  readonly reasoning?: { readonly effort: string; readonly summary?: 'auto' }
  readonly prompt_cache_key?: string
  readonly text?: { readonly format: JsonObject }
  readonly parallel_tool_calls?: boolean
}

interface FunctionTool {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
  readonly strict: false
}

/** Minimum reply limit that the server accepts. */
const minTokens = 16

/** Builds the body of a request to `provider`. Equal requests give equal bytes, so that caches hit. */
export function responsesBody(request: Request, provider: string, quirks: Quirks = {}): ResponsesBody {
  const { model, systemPrompt, messages, tools, toolChoice, maxTokens, info } = request
  const { stop = [], format, parallelCalls } = request
  if (stop.length > 0) throw unsupported('stop', 'the Responses API has no stop sequences')
  const word = effort(request, quirks)
  return {
    model,
    ...(systemPrompt === '' ? {} : { instructions: systemPrompt }),
    input: inputItems(request, provider),
    stream: true,
    store: false,
    // Models known not to think refuse it.
    ...(info?.thinking?.type === 'none' ? {} : { include: ['reasoning.encrypted_content'] }),
    ...(tools.length > 0 ? { tools: tools.map(functionTool) } : {}),
    ...omitUndefined({
      tool_choice: tools.length > 0 ? chosen(toolChoice, quirks) : undefined,
      max_output_tokens: maxTokens === undefined ? undefined : Math.max(maxTokens, minTokens),
      temperature: temperature(request, word),
      reasoning: reasoning(word),
      // The id of the first message identifies the conversation, so that the server finds its cache.
      prompt_cache_key: messages[0]?.id,
      text: format && { format: textFormat(format) },
      parallel_tool_calls: tools.length > 0 ? parallelCalls : undefined,
    }),
  }
}

function functionTool({ name, description, parameters }: Tool): FunctionTool {
  return { type: 'function', name, description, parameters: toolSchema(parameters), strict: false }
}

function chosen(choice: ToolChoice = 'auto', { toolChoiceRequired = 'required' }: Quirks) {
  if (typeof choice === 'object') return { type: 'function', name: choice.tool } as const
  if (choice === 'auto') return undefined
  return choice === 'required' ? toolChoiceRequired : choice
}

function textFormat(format: ReplyFormat): JsonObject {
  return format.type === 'json' ? { type: 'json_object' } : { type: 'json_schema', ...schemaFields(format) }
}

/** Returns the temperature, unless the model thinks and so refuses it. */
function temperature({ temperature, info }: Request, effort: string | undefined): number | undefined {
  const known = info?.thinking?.type
  return known === 'effort' || known === 'fixed' || effort !== undefined ? undefined : temperature
}

function reasoning(effort: string | undefined): ResponsesBody['reasoning'] {
  if (effort === undefined) return undefined
  return effort === 'none' ? { effort } : { effort, summary: 'auto' }
}
