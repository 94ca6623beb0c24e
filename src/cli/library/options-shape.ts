import * as z from 'zod'
import { PipeError } from '../../error.ts'
import { thinkingLevels } from '../../model.ts'
import { permissionModes } from '../../permission.ts'
import type { ConversationOptions } from './library-options.ts'

/** A function. Its arguments and results are not checked. */
const callable = z.custom<unknown>((value) => typeof value === 'function', 'expected a function')

const word = z.string().min(1)
const words = z.array(word)
const count = z.int().positive()
const mode = z.enum(permissionModes)

const earlier = { id: z.string().optional(), message: z.string().optional() }

/** A model with its provider. */
export const modelChoice = z.looseObject({
  provider: z.looseObject({ name: word, stream: callable }),
  // Empty: the provider's default.
  model: z.string(),
  thinking: z.enum(thinkingLevels).optional(),
})

const optionsShape = z.strictObject({
  cwd: word.optional(),
  folders: words.optional(),
  model: z
    .union([word, modelChoice], 'expected a name such as "provider/model", or { provider, model }')
    .optional(),
  agent: word.optional(),
  thinking: z.enum(thinkingLevels).optional(),
  systemPrompt: z.string().optional(),
  moreSystemPrompt: z.string().optional(),
  permissions: z
    .strictObject({
      mode: mode.optional(),
      allow: words.optional(),
      ask: words.optional(),
      deny: words.optional(),
    })
    .optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  trust: z.boolean().optional(),
  session: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.enum(['new', 'unsaved']) }),
      z.strictObject({ type: z.literal('named'), id: z.string() }),
      z.strictObject({ type: z.literal('resume'), ...earlier }),
      z.strictObject({ type: z.literal('fork'), ...earlier, as: z.string().optional() }),
    ])
    .optional(),
  store: z
    .looseObject({ create: callable, open: callable, load: callable, find: callable, list: callable })
    .optional(),
  artifacts: z
    .looseObject({
      readFile: callable,
      readFileRange: callable,
      realPath: callable,
      getRevision: callable,
      listDir: callable,
      writeFile: callable,
      move: callable,
    })
    .optional(),
  tools: z.looseObject({ tools: callable, execute: callable }).optional(),
  jsonSchema: z
    .union([word, z.record(z.string(), z.unknown())], 'expected a JSON Schema, or one in short')
    .optional(),
  limits: z
    .strictObject({
      maxRounds: count.optional(),
      maxTokens: count.optional(),
      maxCostUsd: z.number().positive().optional(),
      maxTimeMs: z.number().positive().optional(),
    })
    .optional(),
  maxReplyTokens: count.optional(),
  temperature: z.number().min(0).max(2).optional(),
  onQuestion: callable.optional(),
  onAsk: z.enum(['ask', 'deny', 'stop']).optional(),
  onWarning: callable.optional(),
  // `process.env` is no plain object.
  env: z.looseObject({}).optional(),
  signal: z.instanceof(AbortSignal).optional(),
} satisfies Record<keyof ConversationOptions, z.ZodType>)

/** Throws `usage` for options that do not exist or have another type. */
export function requireOptions(options: ConversationOptions): void {
  const { error } = optionsShape.safeParse(options)
  if (error === undefined) return
  throw new PipeError('usage', `openConversation: ${error.issues.map(inWords).join('; ')}`)
}

/** Words an issue, with the place that it is about. */
export function inWords({ path, message, ...issue }: z.core.$ZodIssue): string {
  const words = issue.code === 'unrecognized_keys' ? `there is no ${issue.keys.join(', ')}` : message
  return path.length === 0 ? words : `${path.join('.')}: ${words}`
}
