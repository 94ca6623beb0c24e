import * as z from 'zod'
import { thinkingLevels } from '../../model.ts'
import { issueInWords } from '../issue-words.ts'

const partSchema = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['input_text', 'output_text', 'text']), text: z.string() }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
  z.object({
    type: z.literal('input_image'),
    image_url: z.string({ error: 'expected a data URL; this server keeps no files' }),
  }),
  z.object({
    type: z.literal('input_file'),
    file_data: z.string({ error: 'expected a data URL; this server keeps no files' }),
    filename: z.string().nullish(),
  }),
])

export type SentPart = z.infer<typeof partSchema>

const contentSchema = z.union([z.string(), z.array(partSchema)], {
  error: 'expected a text, or parts of the types input_text, output_text, input_image and input_file',
})

const messageSchema = z.object({
  type: z.literal('message'),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: contentSchema,
})

const itemSchema = z.discriminatedUnion('type', [
  messageSchema,
  z.object({
    type: z.literal('function_call'),
    call_id: z.string().min(1),
    name: z.string().min(1),
    arguments: z.string(),
  }),
  z.object({
    type: z.literal('custom_tool_call'),
    call_id: z.string().min(1),
    name: z.string().min(1),
    input: z.string(),
  }),
  z.object({
    type: z.enum(['function_call_output', 'custom_tool_call_output']),
    call_id: z.string().min(1),
    output: contentSchema,
  }),
  z.object({
    type: z.literal('item_reference', { error: 'this server keeps no responses: send the items themselves' }),
    id: z.never(),
  }),
])

export type SentItem = z.infer<typeof itemSchema>

/** Items of other types, such as reasoning, which only the vendor that made them could read again. */
const foreignSchema = z.object({ type: z.string() }).transform(() => undefined)
const known: readonly unknown[] = [
  ...['message', 'function_call', 'custom_tool_call', 'function_call_output', 'custom_tool_call_output'],
  'item_reference',
]

/** A message may leave out its type. */
const sentSchema = z.preprocess(
  (item) =>
    typeof item === 'object' && item !== null && 'role' in item ? { type: 'message', ...item } : item,
  z.unknown().transform((item, context): SentItem | undefined => {
    const type = typeof item === 'object' && item !== null && 'type' in item ? item.type : undefined
    const schema = known.includes(type) ? itemSchema : foreignSchema
    const { success, data, error } = schema.safeParse(item, { error: issueInWords })
    if (success) return data
    for (const { path, message } of error.issues) context.addIssue({ code: 'custom', path, message })
    return z.NEVER
  }),
)

const functionSchema = z.object({
  type: z.literal('function'),
  name: z.string().min(1),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.json()).nullish(),
})
/** A tool whose input is a text in place of JSON. */
const customSchema = z.object({
  type: z.literal('custom'),
  name: z.string().min(1),
  description: z.string().nullish(),
  format: z
    .object({ type: z.string(), syntax: z.string().optional(), definition: z.string().optional() })
    .nullish(),
})
/** Tools that the vendor's own server carries out. No model here has them. */
const hostedSchema = z.object({ type: z.string() }).transform(() => ({ type: 'hosted' as const }))

const toolSchema = z.union([functionSchema, customSchema, hostedSchema])

const choiceSchema = z.union(
  [
    z.enum(['auto', 'none', 'required']),
    z.object({ type: z.enum(['function', 'custom']), name: z.string() }),
  ],
  { error: 'expected auto, none, required, or a tool by its name' },
)

const formatSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    name: z.string().min(1),
    schema: z.record(z.string(), z.json()),
    description: z.string().nullish(),
    strict: z.boolean().nullish(),
  }),
])

const keepsNothing = 'this server keeps no responses: send the whole input'

/** The body of a response. Fields that are not named here are ignored. */
export const responsesBodySchema = z.object({
  model: z.string().nullish(),
  input: z.preprocess(
    (input) => (typeof input === 'string' ? [{ role: 'user', content: input }] : input),
    z.array(sentSchema, { error: 'expected a text, or a list of items' }),
  ),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  tools: z.array(toolSchema).nullish(),
  tool_choice: choiceSchema.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  reasoning: z.object({ effort: z.enum(['none', ...thinkingLevels]).nullish() }).nullish(),
  text: z.object({ format: formatSchema.nullish() }).nullish(),
  previous_response_id: z.null({ error: keepsNothing }).optional(),
  conversation: z.null({ error: keepsNothing }).optional(),
  prompt: z.null({ error: 'this server keeps no prompts: send instructions' }).optional(),
  background: z.literal(false, { error: 'answers are given at once' }).nullish(),
})

export type ServedResponsesBody = z.infer<typeof responsesBodySchema>
