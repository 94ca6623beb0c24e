import * as z from 'zod'

const text = z.object({ type: z.literal('text'), text: z.string().min(1) })
const image = z.object({
  type: z.literal('image_url'),
  image_url: z.object({ url: z.string().regex(/^data:image\/[a-z+]+;base64,[A-Za-z0-9+/]+=*$/) }),
})
const file = z.object({
  type: z.literal('file'),
  file: z.object({ filename: z.string().min(1), file_data: z.string().startsWith('data:') }),
})
const json = z.string().refine(isJson, 'not valid JSON')
const call = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,40}$/),
  type: z.literal('function'),
  function: z.object({ name: z.string().min(1), arguments: json }),
})

const system = z.object({ role: z.enum(['system', 'developer']), content: z.string().min(1) })
const user = z.object({
  role: z.literal('user'),
  content: z.union([z.string().min(1), z.array(z.union([text, image, file])).min(1)]),
})
const assistant = z
  .object({
    role: z.literal('assistant'),
    content: z.string().min(1).nullish(),
    tool_calls: z.array(call).min(1).optional(),
    reasoning_details: z.array(z.looseObject({ type: z.string() })).optional(),
  })
  .refine((message) => message.content || message.tool_calls, 'an assistant message is empty')
const tool = z.object({
  role: z.literal('tool'),
  tool_call_id: z.string().min(1),
  content: z.string().min(1),
})
const message = z.union([system, user, assistant, tool])

const chatBody = z.strictObject({
  model: z.string().min(1),
  stream: z.literal(true),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  messages: z.array(message).min(1),
  tools: z
    .array(
      z.object({
        type: z.literal('function'),
        function: z.object({
          name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
          description: z.string(),
          parameters: z.looseObject({ type: z.literal('object') }),
        }),
      }),
    )
    .min(1)
    .optional(),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required', 'any']),
      z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: z.string() }) }),
    ])
    .optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: z.int().positive().optional(),
  max_completion_tokens: z.int().positive().optional(),
  reasoning_effort: z.string().optional(),
})

export type ChatBody = z.infer<typeof chatBody>
type ChatMessage = z.infer<typeof message>

/** Judges a request for Chat Completions as the strictest of the real servers does. */
export function checkChatBody(value: unknown): { readonly body: ChatBody } | { readonly violation: string } {
  const parsed = chatBody.safeParse(value)
  if (!parsed.success) return { violation: z.prettifyError(parsed.error) }
  const violation = orderViolation(parsed.data.messages) ?? choiceViolation(parsed.data)
  return violation === undefined ? { body: parsed.data } : { violation }
}

function orderViolation(messages: readonly ChatMessage[]): string | undefined {
  let open: string[] = []
  let previous: string | undefined
  for (const [i, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id))
        return `messages[${i}]: no call ${message.tool_call_id} directly before this result`
      open = open.filter((id) => id !== message.tool_call_id)
    } else {
      if (open.length > 0) return `messages[${i}]: calls without a result: ${open.join(', ')}`
      if (message.role === previous) return `messages[${i}]: two ${message.role} messages in a row`
      if (i > 0 && isSystem(message.role)) return `messages[${i}]: only the first message may be the system's`
    }
    if (message.role === 'assistant') {
      open = (message.tool_calls ?? []).map((call) => call.id)
      if (new Set(open).size < open.length) return `messages[${i}]: two calls with the same id`
    }
    previous = message.role
  }
  if (open.length > 0) return `calls without a result: ${open.join(', ')}`
  if (previous === 'assistant' || previous === undefined || isSystem(previous))
    return `the last message is the ${previous}'s`
  return undefined
}

function choiceViolation({ tools = [], tool_choice: choice }: ChatBody): string | undefined {
  if (choice === undefined) return undefined
  if (tools.length === 0) return 'tool_choice is only allowed when tools are specified'
  return typeof choice === 'object' && !tools.some((tool) => tool.function.name === choice.function.name)
    ? `tool_choice: there is no tool ${choice.function.name}`
    : undefined
}

function isSystem(role: string): boolean {
  return role === 'system' || role === 'developer'
}

function isJson(source: string): boolean {
  try {
    JSON.parse(source)
    return true
  } catch {
    return false
  }
}
