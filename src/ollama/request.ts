import { object } from '../http/dialect/json-fields.ts'
import { isJsonObject, type JsonObject } from '../json-value.ts'
import { nearestLevel } from '../model.ts'
import { present } from '../present.ts'
import type { Request, ThinkingLevel } from '../provider.ts'
import type { Tool } from '../tool.ts'
import { contextSize } from './context-size.ts'
import { type OllamaMessage, ollamaMessages } from './messages.ts'

export interface OllamaBody {
  readonly model: string
  readonly messages: readonly OllamaMessage[]
  readonly stream: true
  readonly tools?: readonly OllamaTool[]
  readonly think?: boolean | ThinkingLevel
  /** What is too long is refused. By default the server would drop messages without a word, or tokens while it replies. */
  readonly truncate: false
  readonly shift: false
  readonly options: {
    /** Tokens. */
    readonly num_ctx: number
    readonly num_predict?: number
    readonly temperature?: number
  }
}

interface OllamaTool {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonObject }
}

/** The body of a request to `provider`: ours → theirs. The same request always gives the same bytes, so that caches hold. */
export function ollamaBody(request: Request, provider: string): OllamaBody {
  const { model, maxTokens, temperature, info } = request
  const messages = ollamaMessages(request, provider)
  const tools = chosenTools(request).map(ollamaTool)
  return {
    model,
    messages,
    stream: true,
    ...(tools.length > 0 ? { tools } : {}),
    ...present({ think: think(request) }),
    truncate: false,
    shift: false,
    options: {
      num_ctx: contextSize(messages, tools, present({ maxTokens, contextWindow: info?.contextWindow })),
      ...present({ num_predict: maxTokens, temperature }),
    },
  }
}

/** The server knows no choice of tools: those that may not be called are not shown, and none can be asked for. */
function chosenTools({ tools, toolChoice }: Request): readonly Tool[] {
  if (toolChoice === 'none') return []
  return typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.tool) : tools
}

function ollamaTool({ name, description, parameters }: Tool): OllamaTool {
  const schema = { ...objectSchemas(parameters), type: 'object' }
  return { type: 'function', function: { name, description, parameters: schema } }
}

/** A property that may be anything, `true` in JSON Schema, is refused as no object. */
function objectSchemas(schema: JsonObject): JsonObject {
  const properties = object(schema['properties'])
  if (properties === undefined) return schema
  const entries = Object.entries(properties).map(([name, property]) => {
    return [name, isJsonObject(property) ? objectSchemas(property) : {}] as const
  })
  return { ...schema, properties: Object.fromEntries(entries) }
}

const depths: readonly ThinkingLevel[] = ['low', 'medium', 'high']

/** Models that think in levels, of which gpt-oss is the one that all have, are told one; the others refuse any, and think or not. */
function think({ model, thinking: level, info }: Request): boolean | ThinkingLevel | undefined {
  const known = info?.thinking
  if (level === undefined || known?.type === 'none' || known?.type === 'fixed') return undefined
  if (level === 'off') return false
  if (known?.type === 'effort')
    return (
      nearestLevel(
        level,
        known.levels.filter((level) => depths.includes(level)),
      ) ?? true
    )
  return /gpt-oss/.test(model) ? nearestLevel(level, depths) : true
}
