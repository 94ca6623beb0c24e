import * as z from 'zod'
import { eventLineSchema } from '../../json/documents/event-schema.ts'
import { type AssistantMessage, textContent, type toolCalls } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { StopReason, Usage } from '../../usage.ts'
import { chatErrorSchema } from '../refusal.ts'
import type { AnswerEnd, AnswerPart } from './answer.ts'

/** The facts that all chunks of a completion repeat. */
export interface CompletionHead {
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  readonly model: string
}

const finishReasons: Readonly<Record<StopReason, string>> = {
  end_turn: 'stop',
  unknown: 'stop',
  length: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
  // These end with an error instead.
  error: 'stop',
  aborted: 'stop',
}

const usageSchema = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  prompt_tokens_details: z.object({ cached_tokens: z.int() }),
  completion_tokens_details: z.object({ reasoning_tokens: z.int() }),
})

const finishSchema = z.enum(['stop', 'length', 'tool_calls', 'content_filter'])
/** The lines of `stream-json`, if the request asked for them. */
const pipeSchema = z.object({ events: z.array(eventLineSchema) })
const callSchema = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
})

/** The answer that is sent as a whole. */
export const completionSchema = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.literal(0),
      message: z.object({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        refusal: z.null(),
        reasoning_content: z.string().optional(),
        tool_calls: z.array(callSchema).optional(),
      }),
      logprobs: z.null(),
      finish_reason: finishSchema,
    }),
  ),
  usage: usageSchema,
  pipe: pipeSchema.optional(),
})

const chunkSchema = z.object({
  id: z.string(),
  object: z.literal('chat.completion.chunk'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.literal(0),
      delta: z.object({
        role: z.literal('assistant').optional(),
        content: z.string().optional(),
        reasoning_content: z.string().optional(),
        tool_calls: z.array(callSchema.partial().extend({ index: z.int() })).optional(),
      }),
      finish_reason: finishSchema.nullable(),
    }),
  ),
  usage: usageSchema.nullish(),
  pipe: pipeSchema.optional(),
})

/** Parts of a streamed answer: chunks, or an error as the last of them. */
export const chunkOrErrorSchema = z.union([chunkSchema, chatErrorSchema])

/** Encodes a part of an answer as chunks. With `includesUsage`, a last one holds the usage, which is null in all others. */
export function encodePart(
  part: AnswerPart,
  head: CompletionHead,
  includesUsage: boolean,
): readonly object[] {
  const usage = includesUsage ? { usage: null } : {}
  const chunk = (delta: object, finishReason: string | null = null) => ({
    id: head.id,
    object: 'chat.completion.chunk',
    created: head.created,
    model: head.model,
    choices: [{ index: 0, delta, finish_reason: finishReason }],
    ...usage,
  })
  switch (part.type) {
    case 'begin':
      return [chunk({ role: 'assistant', content: '' })]
    case 'text':
      return [chunk({ content: part.text })]
    case 'thinking':
      return [chunk({ reasoning_content: part.text })]
    case 'call_begin': {
      const { index, id, name } = part
      return [chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })]
    }
    case 'call_delta':
      return [chunk({ tool_calls: [{ index: part.index, function: { arguments: part.delta } }] })]
    case 'events':
      return [{ ...chunk({}), choices: [], pipe: { events: part.lines } }]
    case 'end': {
      const last = chunk({}, finishReasons[part.end.stopReason])
      if (!includesUsage) return [last]
      return [last, { ...last, choices: [], usage: encodeUsage(part.end.usage) }]
    }
  }
}

/** Encodes a whole answer: its last reply, with the usage of all. */
export function encodeCompletion(
  { stopReason, usage, message }: AnswerEnd,
  { id, created, model }: CompletionHead,
  lines: readonly object[] | undefined,
): object {
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: encodeReply(message),
        logprobs: null,
        finish_reason: finishReasons[stopReason],
      },
    ],
    usage: encodeUsage(usage),
    ...(lines === undefined ? {} : { pipe: { events: lines } }),
  }
}

function encodeReply(message: AssistantMessage | undefined): object {
  const said = message ?? { type: 'assistant', content: [] }
  const content = textContent(said)
  const thinking = said.content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('')
  const calls = said.content.flatMap((block) =>
    block.type === 'tool_call' ? [{ id: block.id, type: 'function', function: encodeFunction(block) }] : [],
  )
  return {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    refusal: null,
    ...omitUndefined({ reasoning_content: thinking === '' ? undefined : thinking }),
    ...omitUndefined({ tool_calls: calls.length === 0 ? undefined : calls }),
  }
}

function encodeFunction({ name, arguments: args, argumentsRaw }: ReturnType<typeof toolCalls>[number]) {
  return { name, arguments: argumentsRaw ?? JSON.stringify(args) }
}

function encodeUsage({ inputTokens, outputTokens, cacheReadTokens = 0, reasoningTokens = 0 }: Usage) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  }
}
