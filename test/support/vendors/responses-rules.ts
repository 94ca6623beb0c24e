import * as z from 'zod'
import { parseJson } from '../../../src/json-value.ts'
import { type Judged, judge } from './judge.ts'

const text = z.strictObject({ type: z.literal('input_text'), text: z.string().min(1) })
const image = z.strictObject({
  type: z.literal('input_image'),
  detail: z.enum(['auto', 'low', 'high']),
  image_url: z.string().regex(/^data:image\/[a-z+]+;base64,[A-Za-z0-9+/]+=*$/),
})
const file = z.strictObject({
  type: z.literal('input_file'),
  filename: z.string().min(1),
  file_data: z.string().regex(/^data:application\/pdf;base64,[A-Za-z0-9+/]+=*$/),
})
const shown = z.union([text, image, file])
const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)
const callId = z.string().min(1).max(64)
const status = z.enum(['in_progress', 'completed', 'incomplete']).optional()

const user = z.strictObject({
  type: z.literal('message').optional(),
  role: z.enum(['user', 'system', 'developer']),
  content: z.union([z.string().min(1), z.array(shown).min(1)]),
})
/** Assistant text that the server did not write or does not recognise. */
const quoted = z.strictObject({
  type: z.literal('message').optional(),
  role: z.literal('assistant'),
  content: z.string().min(1),
})
const written = z.strictObject({
  id,
  type: z.literal('message'),
  role: z.literal('assistant'),
  status,
  phase: z.enum(['commentary', 'final_answer']).optional(),
  content: z
    .array(
      z.strictObject({ type: z.literal('output_text'), text: z.string(), annotations: z.array(z.unknown()) }),
    )
    .min(1),
})
/** With `store` off the request itself must contain it. */
const reasoning = z
  .strictObject({
    id,
    type: z.literal('reasoning'),
    status,
    summary: z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() })),
    content: z.array(z.strictObject({ type: z.literal('reasoning_text'), text: z.string() })).optional(),
    encrypted_content: z.string().min(1).optional(),
  })
  .refine(
    ({ encrypted_content, content = [] }) => encrypted_content !== undefined || content.length > 0,
    'items are not persisted when store is set to false',
  )
const call = z.strictObject({
  id: id.optional(),
  type: z.literal('function_call'),
  status,
  namespace: z.string().optional(),
  call_id: callId,
  name: z.string().min(1),
  arguments: z.string().refine((source) => parseJson(source) !== undefined, 'not valid JSON'),
})
const output = z.strictObject({
  type: z.literal('function_call_output'),
  call_id: callId,
  output: z.union([z.string(), z.array(shown).min(1)]),
})
const item = z.union([user, quoted, written, reasoning, call, output])

const tool = z.strictObject({
  type: z.literal('function'),
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  description: z.string(),
  parameters: z.looseObject({
    type: z.literal('object'),
    properties: z.record(z.string(), z.unknown()),
    oneOf: z.undefined().optional(),
    anyOf: z.undefined().optional(),
    allOf: z.undefined().optional(),
    not: z.undefined().optional(),
    enum: z.undefined().optional(),
  }),
  strict: z.literal(false),
})

const responsesBody = z.strictObject({
  model: z.string().min(1),
  instructions: z.string().min(1).optional(),
  input: z.array(item).min(1),
  stream: z.literal(true),
  store: z.literal(false),
  include: z.array(z.literal('reasoning.encrypted_content')).min(1).optional(),
  tools: z.array(tool).min(1).optional(),
  tool_choice: z
    .union([
      z.enum(['auto', 'required', 'none']),
      z.strictObject({ type: z.literal('function'), name: z.string() }),
    ])
    .optional(),
  max_output_tokens: z.int().min(16).optional(),
  temperature: z.number().min(0).max(2).optional(),
  text: z
    .strictObject({
      format: z.union([
        z.strictObject({ type: z.literal('json_object') }),
        z.strictObject({
          type: z.literal('json_schema'),
          name: z.string().regex(/^[\w-]{1,64}$/),
          schema: z.looseObject({}),
          description: z.string().optional(),
          strict: z.boolean().optional(),
        }),
      ]),
    })
    .optional(),
  parallel_tool_calls: z.boolean().optional(),
  reasoning: z
    .strictObject({
      effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']),
      summary: z.literal('auto').optional(),
    })
    .optional(),
  prompt_cache_key: z.string().max(64).optional(),
})

export type ResponsesBody = z.infer<typeof responsesBody>
type Item = z.infer<typeof item>

/** Judges a request for OpenAI's Responses as the real server does with `store` off. */
export function checkResponsesBody(value: unknown): Judged<ResponsesBody> {
  return judge(responsesBody, value, callViolation, pairViolation, optionViolation)
}

function callViolation({ input }: ResponsesBody): string | undefined {
  const open = new Set<string>()
  const seen = new Set<string>()
  for (const item of input) {
    if (item.type === 'function_call') {
      if (seen.has(item.call_id)) return `two calls with the id ${item.call_id}`
      seen.add(item.call_id)
      open.add(item.call_id)
    } else if (item.type === 'function_call_output' && !open.delete(item.call_id)) {
      return `no tool call found for function call output with call_id ${item.call_id}`
    }
  }
  for (const id of open) return `no tool output found for function call ${id}`
  return undefined
}

/** Thinking must precede the item that followed it, both with their own ids. */
function pairViolation({ input }: ResponsesBody): string | undefined {
  const ids = new Set<string>()
  for (const [i, item] of input.entries()) {
    const id = idOf(item)
    if (id !== undefined && ids.has(id)) return `duplicate item found with id ${id}`
    if (id !== undefined) ids.add(id)
    const next = input[i + 1]
    if (item.type === 'reasoning' && (next === undefined || idOf(next) === undefined))
      return `item ${item.id} of type 'reasoning' was provided without its required following item`
  }
  return undefined
}

function idOf(item: Item): string | undefined {
  return 'id' in item ? item.id : undefined
}

function optionViolation({ tools, tool_choice, temperature, reasoning }: ResponsesBody): string | undefined {
  if (tool_choice !== undefined && tools === undefined) return 'tool_choice is only allowed with tools'
  if (temperature !== undefined && reasoning !== undefined && reasoning.effort !== 'none')
    return "unsupported parameter: 'temperature' is not supported with this model"
  return undefined
}
