import type { JsonObject } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { formatToSend, type Request, type ToolChoice } from '../provider.ts'
import type { Tool } from '../tool.ts'
import { parametersSchema } from './gemini-schema.ts'
import { type Content, wireContents } from './messages.ts'
import { modelThinking } from './models.ts'
import { type ThinkingConfig, thinkingConfig } from './thinking.ts'

export interface GeminiBody {
  readonly systemInstruction?: { readonly parts: readonly [{ readonly text: string }] }
  readonly contents: readonly Content[]
  readonly tools?: readonly [{ readonly functionDeclarations: readonly FunctionDeclaration[] }]
  readonly toolConfig?: { readonly functionCallingConfig: FunctionCallingConfig }
  readonly generationConfig?: GenerationConfig
}

interface FunctionDeclaration {
  readonly name: string
  readonly description: string
  readonly parameters?: JsonObject
}

interface FunctionCallingConfig {
  readonly mode: 'AUTO' | 'ANY' | 'NONE'
  readonly allowedFunctionNames?: readonly string[]
}

interface GenerationConfig {
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly thinkingConfig?: ThinkingConfig
  readonly stopSequences?: readonly string[]
  readonly responseMimeType?: 'application/json'
  readonly responseJsonSchema?: JsonObject
}

/** Builds the body of a request to `provider`. Equal requests give equal bytes, so that caches hit. */
export function geminiBody(request: Request, provider: string): GeminiBody {
  const { model, info, systemPrompt, tools, toolChoice, maxTokens, temperature, thinking, stop } = request
  // Earlier models refuse JSON beside tools.
  const format = formatToSend(request, /gemini-(?:[3-9]|\d\d)/.test(model))
  const generationConfig = omitUndefined({
    maxOutputTokens: maxTokens,
    temperature,
    thinkingConfig: thinkingConfig(thinking, info?.thinking ?? modelThinking(model)),
    stopSequences: stop,
    responseMimeType: format && ('application/json' as const),
    responseJsonSchema: format?.type === 'schema' ? format.schema : undefined,
  })
  return {
    ...(systemPrompt === '' ? {} : { systemInstruction: { parts: [{ text: systemPrompt }] } }),
    contents: wireContents(request, provider),
    ...(tools.length > 0 ? { tools: [{ functionDeclarations: tools.map(declaration) }] } : {}),
    ...(tools.length > 0 && toolChoice !== undefined
      ? { toolConfig: { functionCallingConfig: callingConfig(toolChoice) } }
      : {}),
    ...(Object.keys(generationConfig).length > 0 ? { generationConfig } : {}),
  }
}

function declaration({ name, description, parameters }: Tool): FunctionDeclaration {
  return { name, description, ...omitUndefined({ parameters: parametersSchema(parameters) }) }
}

function callingConfig(choice: ToolChoice): FunctionCallingConfig {
  if (typeof choice === 'object') return { mode: 'ANY', allowedFunctionNames: [choice.tool] }
  return { mode: choice === 'required' ? 'ANY' : choice === 'none' ? 'NONE' : 'AUTO' }
}
