import * as z from 'zod'
import { type Judged, judge } from './judge.ts'

const base64 = z.string().regex(/^[A-Za-z0-9+/]+=*$/, 'illegal base64 data')
const images = z.array(base64).min(1).optional()
const call = z.strictObject({
  id: z.string().min(1),
  function: z.strictObject({ name: z.string().min(1), arguments: z.record(z.string(), z.unknown()) }),
})

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string().min(1) }),
  z.strictObject({ role: z.literal('user'), content: z.string(), images }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string(),
    thinking: z.string().min(1).optional(),
    tool_calls: z.array(call).min(1).optional(),
  }),
  z.strictObject({
    role: z.literal('tool'),
    content: z.string(),
    images,
    tool_name: z.string().min(1),
    tool_call_id: z.string().min(1),
  }),
])

/** Property schemas as the server parses them: no `true` or `false`. */
const schema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  get properties() {
    return z.record(z.string(), schema).optional()
  },
})

const ollamaBody = z.strictObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.literal(true),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string().min(1),
          description: z.string(),
          parameters: schema.extend({ type: z.literal('object') }),
        }),
      }),
    )
    .min(1)
    .optional(),
  think: z.union([z.boolean(), z.enum(['low', 'medium', 'high'])]).optional(),
  truncate: z.literal(false),
  shift: z.literal(false),
  options: z.strictObject({
    num_ctx: z.int().positive(),
    num_predict: z.int().positive().optional(),
    temperature: z.number().min(0).optional(),
    stop: z.array(z.string()).optional(),
  }),
  format: z.union([z.literal('json'), z.looseObject({})]).optional(),
})

export type OllamaBody = z.infer<typeof ollamaBody>

/** Judges a request for Ollama's own API as the strictest server would, and by what all our requests must contain. */
export function checkOllamaBody(value: unknown): Judged<OllamaBody> {
  return judge(ollamaBody, value, thinkViolation, orderViolation)
}

function thinkViolation({ model, think }: OllamaBody): string | undefined {
  return typeof think === 'string' && !model.includes('gpt-oss')
    ? `think value "${think}" is not supported for this model`
    : undefined
}

function orderViolation({ messages }: OllamaBody): string | undefined {
  let open: string[] = []
  let previous: string | undefined
  for (const [i, message] of messages.entries()) {
    const { role, content } = message
    if (role === 'tool') {
      const call = open.indexOf(`${message.tool_call_id} ${message.tool_name}`)
      if (call < 0) return `messages[${i}]: no such call directly before this result`
      open = open.toSpliced(call, 1)
    } else {
      if (open.length > 0) return `messages[${i}]: calls without a result: ${open.join(', ')}`
      if (role === previous) return `messages[${i}]: two ${role} messages in a row`
      if (role === 'system' && i > 0) return `messages[${i}]: only the first message may be the system's`
    }
    if (role === 'user' && content === '' && message.images === undefined) return `messages[${i}] is empty`
    if (role === 'assistant') {
      if (content === '' && message.tool_calls === undefined) return `messages[${i}] is empty`
      open = (message.tool_calls ?? []).map(({ id, function: { name } }) => `${id} ${name}`)
    }
    previous = role
  }
  if (open.length > 0) return `calls without a result: ${open.join(', ')}`
  return previous === 'user' || previous === 'tool' ? undefined : `the last message is the ${previous}'s`
}
