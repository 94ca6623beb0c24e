import * as z from 'zod'
import { parseJson } from '../../../src/json-value.ts'
import { type Judged, judge } from './judge.ts'

const text = z.strictObject({ type: z.literal('text'), text: z.string().min(1) })
const image = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({ url: z.string().regex(/^data:image\/[a-z+]+;base64,[A-Za-z0-9+/]+=*$/) }),
})
const file = z.strictObject({
  type: z.literal('file'),
  file: z.strictObject({ filename: z.string().min(1), file_data: z.string().startsWith('data:') }),
})
const json = z.string().refine((source) => parseJson(source) !== undefined, 'not valid JSON')
/** Plain ids, or forms that servers create themselves. */
const callId = z.string().regex(/^([A-Za-z0-9_-]{1,40}|call\|\d|functions\.\w+:\d)$/)
const call = z.strictObject({
  id: callId,
  type: z.literal('function'),
  function: z.strictObject({ name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), arguments: json }),
  extra_content: z.looseObject({}).optional(),
})

const system = z.strictObject({ role: z.enum(['system', 'developer']), content: z.string().min(1) })
const user = z.strictObject({
  role: z.literal('user'),
  content: z.union([z.string().min(1), z.array(z.union([text, image, file])).min(1)]),
})
const assistant = z
  .strictObject({
    role: z.literal('assistant'),
    content: z.string().min(1).nullish(),
    tool_calls: z.array(call).min(1).optional(),
    reasoning_details: z.array(z.looseObject({ type: z.string() })).optional(),
    thinking_blocks: z.array(z.looseObject({ type: z.string() })).optional(),
    reasoning_content: z.string().optional(),
  })
  .refine((message) => message.content || message.tool_calls, 'an assistant message is empty')
const tool = z.strictObject({
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
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
          description: z.string(),
          parameters: z.looseObject({
            type: z.literal('object'),
            oneOf: z.undefined().optional(),
            anyOf: z.undefined().optional(),
            allOf: z.undefined().optional(),
            not: z.undefined().optional(),
            enum: z.undefined().optional(),
          }),
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
  stop: z.array(z.string()).max(4).optional(),
  response_format: z
    .union([
      z.strictObject({ type: z.literal('json_object') }),
      z.strictObject({
        type: z.literal('json_schema'),
        json_schema: z.strictObject({
          name: z.string().regex(/^[\w-]{1,64}$/),
          schema: z.looseObject({}),
          description: z.string().optional(),
          strict: z.boolean().optional(),
        }),
      }),
    ])
    .optional(),
  parallel_tool_calls: z.boolean().optional(),
})

export type ChatBody = z.infer<typeof chatBody>

/** Extra rules of stricter servers. */
export interface ChatRules {
  /** Exact length of call ids, which then consist of letters and digits. */
  readonly callIdLength?: number
  /** No user message directly after results. */
  readonly acknowledged?: true
  /** Extra fields of assistant messages that this server knows. Default: none. */
  readonly reasoning?: 'reasoning_details' | 'reasoning_content'
  /** Rejects images. */
  readonly blind?: true
}

/** Judges a request for Chat Completions as the strictest real server with these rules does. */
export function checkChatBody(value: unknown, rules: ChatRules = {}): Judged<ChatBody> {
  return judge(chatBody, value, orderViolation, choiceViolation, (body) => serverViolation(body, rules))
}

function serverViolation(
  { messages }: ChatBody,
  { callIdLength, acknowledged, reasoning, blind }: ChatRules,
): string | undefined {
  for (const [i, message] of messages.entries()) {
    if (acknowledged && message.role === 'user' && messages[i - 1]?.role === 'tool')
      return `messages[${i}]: unexpected role 'user' after role 'tool'`
    if (blind && message.role === 'user' && typeof message.content !== 'string')
      return `messages[${i}]: content must be a string`
    if (message.role !== 'assistant') continue
    for (const field of ['reasoning_details', 'reasoning_content'] as const)
      if (field in message && field !== reasoning) return `messages[${i}]: ${field} is not known`
    const calls = message.tool_calls ?? []
    if (reasoning === 'reasoning_content' && calls.length > 0 && !(reasoning in message))
      return `messages[${i}]: the reasoning_content in the thinking mode must be passed back`
    const wrong = calls.find(({ id }) => callIdLength !== undefined && !isPlain(id, callIdLength))
    if (wrong !== undefined)
      return `messages[${i}]: the id ${wrong.id} must be ${callIdLength} letters or digits`
  }
  return undefined
}

function isPlain(id: string, length: number): boolean {
  return id.length === length && /^[A-Za-z0-9]+$/.test(id)
}

function orderViolation({ messages }: ChatBody): string | undefined {
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
