import type { JsonObject } from '../json-value.ts'
import { present } from '../present.ts'
import type { Request, ThinkingLevel } from '../provider.ts'
import type { Tool } from '../tool.ts'
import { CallIds } from './call-ids.ts'
import { type ChatMessage, chatMessages } from './messages.ts'

/** How one server's Chat Completions differs from the rest. Every field has a default that most servers take. */
export interface Quirks {
  /** The field for the limit on the reply. Default `max_tokens`; OpenAI itself wants `max_completion_tokens`. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens'
  /** Whether `stream_options` may be sent, to be told the usage. Default true. */
  readonly streamOptions?: boolean
  /** Who speaks the system prompt. Default `system`. */
  readonly systemRole?: 'system' | 'developer'
  /** The exact length of tool call ids, letters and digits only: 9 with Mistral. Default: up to 40, `_` and `-` too. */
  readonly callIdLength?: number
  /** The server's word for a thinking level. Default: the level's own name. */
  readonly reasoningEffort?: Readonly<Partial<Record<ThinkingLevel, string>>>
}

export interface ChatBody {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly stream: true
  readonly stream_options?: { readonly include_usage: true }
  readonly tools?: readonly ChatTool[]
  readonly temperature?: number
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly reasoning_effort?: string
}

interface ChatTool {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonObject }
}

/** The body of a request to `provider`: ours → theirs. The same request always gives the same bytes, so that caches hold. */
export function chatBody(request: Request, provider: string, quirks: Quirks = {}): ChatBody {
  const { model, systemPrompt, tools, temperature, maxTokens, thinking } = request
  const { maxTokensField = 'max_tokens', streamOptions = true, systemRole = 'system' } = quirks
  const system: readonly ChatMessage[] =
    systemPrompt === '' ? [] : [{ role: systemRole, content: systemPrompt }]
  return {
    model,
    messages: [...system, ...chatMessages(request, provider, new CallIds(quirks.callIdLength))],
    stream: true,
    ...(streamOptions ? { stream_options: { include_usage: true } } : {}),
    ...(tools.length > 0 ? { tools: tools.map(chatTool) } : {}),
    ...present({ temperature, [maxTokensField]: maxTokens }),
    ...(thinking === undefined || thinking === 'off'
      ? {}
      : { reasoning_effort: quirks.reasoningEffort?.[thinking] ?? thinking }),
  }
}

function chatTool({ name, description, parameters }: Tool): ChatTool {
  return { type: 'function', function: { name, description, parameters } }
}
