import { CallIds } from '../../call-ids.ts'
import type { JsonObject } from '../../json-value.ts'
import { present } from '../../present.ts'
import type { Request } from '../../provider.ts'
import type { Quirks } from '../../server.ts'
import type { Tool } from '../../tool.ts'
import { type ChatMessage, chatMessages } from './messages.ts'

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
