import * as z from 'zod'
import { thinkingLevels } from '../../model.ts'

/** A field that this server cannot honour, and that must not be ignored. `none`: a value that asks for nothing. */
function unsupported(reason: string, none: z.ZodType = z.null()): z.ZodType {
  return z
    .unknown()
    .optional()
    .refine((value) => value === undefined || none.safeParse(value).success, { error: reason })
    .meta({ description: `Not supported: ${reason}` })
}

const textSchema = z.object({ type: z.literal('text'), text: z.string() })
const refusalSchema = z.object({ type: z.literal('refusal'), refusal: z.string() })
const partSchema = z.discriminatedUnion('type', [
  textSchema,
  refusalSchema,
  z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) }),
  z.object({
    type: z.literal('file'),
    file: z.object({ file_data: z.string(), filename: z.string().optional() }),
  }),
])

export type ChatPart = z.infer<typeof partSchema>

const spokenSchema = z.discriminatedUnion('type', [textSchema, refusalSchema])

const contentSchema = z.union([z.string(), z.array(partSchema)], {
  error: 'expected a text, or parts of the types text, image_url and file',
})
const spokenContentSchema = z.union([z.string(), z.array(spokenSchema)], {
  error: 'expected a text, or parts of the type text',
})

const callSchema = z.object({
  id: z.string().min(1),
  type: z.literal('function').default('function'),
  function: z.object({ name: z.string().min(1), arguments: z.string() }),
})

const messageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content: spokenContentSchema }),
  z.object({ role: z.literal('user'), content: contentSchema }),
  z.object({
    role: z.literal('assistant'),
    content: spokenContentSchema.nullish(),
    tool_calls: z.array(callSchema).nullish(),
  }),
  z.object({ role: z.literal('tool'), content: contentSchema, tool_call_id: z.string().min(1) }),
])

export type ServedChatMessage = z.infer<typeof messageSchema>

const toolSchema = z.object({
  type: z.literal('function', { error: 'only functions are supported' }),
  function: z.object({
    name: z.string().min(1),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.json()).nullish(),
  }),
})

const toolChoiceSchema = z.union(
  [
    z.enum(['auto', 'none', 'required']),
    z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) }),
  ],
  { error: 'expected auto, none, required, or a function by its name' },
)

const formatSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({
      name: z.string().min(1),
      schema: z.record(z.string(), z.json()).default({}),
      description: z.string().nullish(),
      strict: z.boolean().nullish(),
    }),
  }),
])
const onlyTextOut = z.union([z.null(), z.tuple([z.literal('text')])])

/** The body of a chat completion. Fields that are not named here are ignored. */
export const chatBodySchema = z.object({
  messages: z.array(messageSchema).min(1, { error: 'Cannot be empty' }),
  model: z.string().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1, { error: 'only one choice is given' }).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  reasoning_effort: z.enum(['none', ...thinkingLevels]).nullish(),
  tools: z.array(toolSchema).nullish(),
  tool_choice: toolChoiceSchema.nullish(),
  /** pipe's own: `events` adds the lines of `stream-json` to the answer. */
  pipe: z.object({ events: z.boolean().optional() }).optional(),
  parallel_tool_calls: z.boolean().nullish(),
  stop: z
    .union([z.string(), z.array(z.string())], { error: 'expected a text, or a list of texts' })
    .nullish(),
  response_format: formatSchema.nullish(),
  modalities: unsupported('only text is answered', onlyTextOut),
  logprobs: unsupported('probabilities are not known', z.union([z.null(), z.literal(false)])),
  functions: unsupported('send tools instead'),
  function_call: unsupported('send tool_choice instead'),
})

export type ServedChatBody = z.infer<typeof chatBodySchema>
