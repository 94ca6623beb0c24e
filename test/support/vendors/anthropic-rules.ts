import * as z from 'zod'
import { type Judged, judge } from './judge.ts'

const breakpoint = z.strictObject({ type: z.literal('ephemeral') }).optional()
const visible = z.string().regex(/\S/, 'text content blocks must contain non-whitespace text')
const base64 = z.string().regex(/^[A-Za-z0-9+/]+=*$/)

const text = z.strictObject({ type: z.literal('text'), text: visible, cache_control: breakpoint })
const image = z.strictObject({
  type: z.literal('image'),
  source: z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
    data: base64,
  }),
  cache_control: breakpoint,
})
const document = z.strictObject({
  type: z.literal('document'),
  source: z.union([
    z.strictObject({ type: z.literal('base64'), media_type: z.literal('application/pdf'), data: base64 }),
    z.strictObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string() }),
  ]),
  title: z.string().optional(),
  cache_control: breakpoint,
})
const shown = z.union([text, image, document])
const id = z.string().regex(/^[a-zA-Z0-9_-]+$/)
const result = z
  .strictObject({
    type: z.literal('tool_result'),
    tool_use_id: id,
    content: z.array(shown).min(1).optional(),
    is_error: z.boolean().optional(),
    cache_control: breakpoint,
  })
  .refine(
    ({ is_error, content = [] }) => !is_error || content.every(({ type }) => type === 'text'),
    'all content must be text if is_error is true',
  )
const thinking = z.strictObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().min(1),
})
const redacted = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string().min(1) })
const call = z.strictObject({
  type: z.literal('tool_use'),
  id,
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  input: z.record(z.string(), z.unknown()),
})

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('user'), content: z.array(z.union([shown, result])).min(1) }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.array(z.union([text, thinking, redacted, call])).min(1),
  }),
])

const tool = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  description: z.string(),
  input_schema: z.looseObject({
    type: z.literal('object'),
    oneOf: z.undefined().optional(),
    anyOf: z.undefined().optional(),
    allOf: z.undefined().optional(),
  }),
  cache_control: breakpoint,
})

const messagesBody = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  stream: z.literal(true),
  system: z.array(text).min(1).optional(),
  tools: z.array(tool).min(1).optional(),
  messages: z.array(message).min(1),
  tool_choice: z
    .union([
      z.strictObject({ type: z.literal('none') }),
      z.strictObject({ type: z.enum(['auto', 'any']), disable_parallel_tool_use: z.boolean().optional() }),
      z.strictObject({
        type: z.literal('tool'),
        name: z.string(),
        disable_parallel_tool_use: z.boolean().optional(),
      }),
    ])
    .optional(),
  thinking: z
    .union([
      z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1024) }),
      z.strictObject({ type: z.literal('adaptive'), display: z.literal('summarized') }),
    ])
    .optional(),
  output_config: z
    .strictObject({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional(),
      format: z.strictObject({ type: z.literal('json_schema'), schema: z.looseObject({}) }).optional(),
    })
    .optional(),
  stop_sequences: z.array(z.string()).optional(),
  temperature: z.number().min(0).max(1).optional(),
})

export type MessagesBody = z.infer<typeof messagesBody>

/** Judges a request for Anthropic's Messages as the real server does. */
export function checkMessagesBody(value: unknown): Judged<MessagesBody> {
  return judge(messagesBody, value, orderViolation, choiceViolation, thinkingViolation, cacheViolation)
}

function orderViolation({ messages }: MessagesBody): string | undefined {
  const seen = new Set<string>()
  let open: string[] = []
  for (const [i, { role, content }] of messages.entries()) {
    if ((role === 'user') !== (i % 2 === 0)) return `messages[${i}]: not the turn of the ${role}`
    const results = content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
    const first = content.slice(0, results.length)
    if (first.some((block) => block.type !== 'tool_result'))
      return `messages[${i}]: tool_result blocks must come first`
    if (results.toSorted().join() !== open.toSorted().join())
      return `messages[${i}]: results of ${results} where ${open} was called`
    open = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
    for (const id of open) {
      if (seen.has(id)) return `messages[${i}]: tool_use ids must be unique: ${id}`
      seen.add(id)
    }
    if (role === 'assistant' && isThought(content.at(-1)))
      return `messages[${i}]: the final block in an assistant message cannot be thinking`
  }
  return messages.at(-1)?.role === 'user' ? undefined : "the last message is the assistant's"
}

function choiceViolation({ tools = [], tool_choice: choice, thinking }: MessagesBody): string | undefined {
  if (choice === undefined) return undefined
  if (tools.length === 0) return 'tool_choice may only be specified while providing tools'
  if (choice.type === 'tool' && !tools.some(({ name }) => name === choice.name))
    return `tool '${choice.name}' not found in provided tools`
  const forced = choice.type === 'any' || choice.type === 'tool'
  return forced && thinking !== undefined
    ? 'thinking may not be enabled when tool_choice forces tool use'
    : undefined
}

function thinkingViolation({
  thinking,
  max_tokens,
  temperature,
  messages,
}: MessagesBody): string | undefined {
  if (thinking === undefined) return undefined
  if (temperature !== undefined) return 'temperature may not be set when thinking is enabled'
  if (thinking.type !== 'enabled') return undefined
  if (thinking.budget_tokens >= max_tokens) return 'max_tokens must be greater than thinking.budget_tokens'
  const asked = messages.findLastIndex(
    ({ role, content }) => role === 'user' && content.some(({ type }) => type !== 'tool_result'),
  )
  const acting: readonly { readonly type: string }[] = messages[asked + 1]?.content ?? []
  return acting.length > 0 && !isThought(acting[0])
    ? 'a final assistant message must start with a thinking block'
    : undefined
}

function cacheViolation({ system = [], tools = [], messages }: MessagesBody): string | undefined {
  const said = messages.flatMap(({ content }): readonly object[] => content)
  const marked = [...system, ...tools, ...said].filter((block) => 'cache_control' in block).length
  return marked > 4 ? `a maximum of 4 blocks with cache_control may be provided, found ${marked}` : undefined
}

function isThought(block: { readonly type: string } | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking'
}
