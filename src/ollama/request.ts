import { toolSchema } from '../http/dialect/tool-schema.ts'
import { isJsonObject, type JsonObject } from '../json-value.ts'
import { nearestLevel } from '../model.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { formatToSend, type Request, type ThinkingLevel } from '../provider.ts'
import type { Tool } from '../tool.ts'
import { object } from '../wire/json-fields.ts'
import { contextSize } from './context-size.ts'
import { type OllamaMessage, ollamaMessages } from './messages.ts'

export interface OllamaBody {
  readonly model: string
  readonly messages: readonly OllamaMessage[]
  readonly stream: true
  readonly tools?: readonly OllamaTool[]
  readonly think?: boolean | ThinkingLevel
  /** Refuses a prompt that is too long. By default, the server silently drops messages, or tokens during a reply. */
  readonly truncate: false
  readonly shift: false
  /** Any JSON, or a schema of it. */
  readonly format?: 'json' | JsonObject
  readonly options: {
    /** Tokens. */
    readonly num_ctx: number
    readonly num_predict?: number
    readonly temperature?: number
    readonly stop?: readonly string[]
  }
}

interface OllamaTool {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonObject }
}

/** Builds the body of a request to `provider`. Equal requests give equal bytes, so that caches hit. */
export function ollamaBody(request: Request, provider: string): OllamaBody {
  const { model, maxTokens, temperature, info, stop } = request
  const format = formatToSend(request, false)
  const messages = ollamaMessages(request, provider)
  const tools = chosenTools(request).map(ollamaTool)
  return {
    model,
    messages,
    stream: true,
    ...(tools.length > 0 ? { tools } : {}),
    ...omitUndefined({
      think: think(request),
      format: format && (format.type === 'json' ? ('json' as const) : format.schema),
    }),
    truncate: false,
    shift: false,
    options: {
      num_ctx: contextSize(messages, tools, { maxTokens, contextWindow: info?.contextWindow }),
      ...omitUndefined({ num_predict: maxTokens, temperature, stop }),
    },
  }
}

/** Leaves out the tools that may not be called, as the server has no tool choice. A call cannot be required. */
function chosenTools({ tools, toolChoice }: Request): readonly Tool[] {
  if (toolChoice === 'none') return []
  return typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.tool) : tools
}

function ollamaTool({ name, description, parameters }: Tool): OllamaTool {
  const schema = objectSchemas(toolSchema(parameters))
  return { type: 'function', function: { name, description, parameters: schema } }
}

/** Replaces property schemas that are not objects, such as `true`, which the server refuses. */
function objectSchemas(schema: JsonObject): JsonObject {
  const properties = object(schema['properties'])
  if (properties === undefined) return schema
  const entries = Object.entries(properties).map(([name, property]) => {
    return [name, isJsonObject(property) ? objectSchemas(property) : {}] as const
  })
  return { ...schema, properties: Object.fromEntries(entries) }
}

const depths: readonly ThinkingLevel[] = ['low', 'medium', 'high']

/** Returns a level for models that think in levels (by `info`, else gpt-oss). The others accept only on or off. */
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
