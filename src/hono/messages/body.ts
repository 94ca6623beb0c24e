import * as z from 'zod'

const textSchema = z.object({ type: z.literal('text'), text: z.string() })

const sourceSchema = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
    z.object({ type: z.literal('text'), data: z.string() }),
  ],
  { error: 'expected base64 or text; this server fetches no addresses' },
)
const mediaSchema = z.discriminatedUnion('type', [
  textSchema,
  z.object({ type: z.literal('image'), source: sourceSchema }),
  z.object({ type: z.literal('document'), source: sourceSchema, title: z.string().nullish() }),
])

const blockSchema = z.discriminatedUnion('type', [
  ...mediaSchema.options,
  z.object({
    type: z.literal('tool_use'),
    id: z.string().min(1),
    name: z.string().min(1),
    input: z.record(z.string(), z.json()),
  }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string().min(1),
    content: z
      .union([z.string(), z.array(mediaSchema)], {
        error: 'expected a text, or blocks of the types text, image and document',
      })
      .nullish(),
    is_error: z.boolean().nullish(),
  }),
  // Only the vendor that made them could read them again.
  z.object({ type: z.enum(['thinking', 'redacted_thinking']) }),
])

export type SentBlock = z.infer<typeof blockSchema>

const messageSchema = z.object({
  role: z.enum(['user', 'assistant', 'system']),
  content: z.union([z.string(), z.array(blockSchema)], {
    error:
      'expected a text, or blocks of the types text, image, document, tool_use, tool_result and thinking',
  }),
})

const toolSchema = z.object({
  // The tools that the vendor's own server carries out have other types.
  type: z
    .literal('custom', { error: 'this server carries out no tools: send tools of the type custom' })
    .nullish(),
  name: z.string().min(1),
  description: z.string().nullish(),
  input_schema: z.record(z.string(), z.json()),
})

const choiceSchema = z.object({
  type: z.enum(['auto', 'any', 'tool', 'none']),
  name: z.string().optional(),
  disable_parallel_tool_use: z.boolean().nullish(),
})

const thinkingSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('enabled'), budget_tokens: z.int().min(1) }),
  z.object({ type: z.literal('adaptive') }),
  z.object({ type: z.literal('disabled') }),
])

const countedShape = {
  model: z.string(),
  messages: z.array(messageSchema).min(1, { error: 'Cannot be empty' }),
  system: z
    .union([z.string(), z.array(textSchema)], { error: 'expected a text, or blocks of the type text' })
    .nullish(),
  tools: z.array(toolSchema).nullish(),
}

/** The body of a request to count its tokens. */
export const countBodySchema = z.object(countedShape)

/** The body of a message. Fields that are not named here are ignored. */
export const messagesBodySchema = z.object({
  ...countedShape,
  max_tokens: z.int().min(1),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(1).nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  tool_choice: choiceSchema.nullish(),
  thinking: thinkingSchema.nullish(),
  output_config: z
    .object({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
      format: z.object({ type: z.literal('json_schema'), schema: z.record(z.string(), z.json()) }).nullish(),
    })
    .nullish(),
})

export type ServedMessagesBody = z.infer<typeof messagesBodySchema>
export type CountBody = z.infer<typeof countBodySchema>
