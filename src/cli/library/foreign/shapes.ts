import * as z from 'zod'
import { capabilities } from '../../../actor.ts'
import { stopReasons } from '../../../usage.ts'
import { callable } from '../shape.ts'

// The shapes of what foreign parts return, as far as the engine depends on them.

const label = z.string().min(1)
const media = z.object({ mimeType: z.string(), data: z.string() })

const resultBlock = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  media.extend({ type: z.literal('image') }),
  media.extend({ type: z.literal('document'), name: z.string().optional() }),
])

export const toolResultShape = z.object({ content: z.array(resultBlock).min(1), isError: z.boolean() })

const question = z.object({
  id: label,
  kind: z.enum(['select', 'confirm', 'input', 'composite']),
  purpose: z.enum(['choose_strategy', 'request_info', 'confirm_risky_action', 'assign_subtask', 'generic']),
  display: z.object({ title: z.string(), description: z.string().optional() }),
  options: z.array(z.object({ id: label, label: z.string() })).optional(),
  validation: z.object({ regex: z.string().optional(), required: z.boolean().optional() }).optional(),
  get parts() {
    return z.array(question).optional()
  },
})

export const toolOutputShape = z.discriminatedUnion('type', [
  z.object({ type: z.literal('output'), stream: z.enum(['stdout', 'stderr']), chunk: z.string() }),
  z.object({ type: z.literal('interaction'), interaction: question }),
  z.object({ type: z.literal('checkpoint'), id: z.string().optional(), notes: z.array(z.string()) }),
])

/** A tool that every model can be given. The name is as the strictest server demands. */
export const toolShape = z.object({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'is letters, digits, _ and -, at most 64'),
  description: z.string(),
  parameters: z.looseObject({ type: z.literal('object') }),
  capability: z.enum(capabilities),
  readOnly: callable,
  looksOn: callable.optional(),
  otherCapability: callable.optional(),
  preview: callable.optional(),
})

const delta = z.object({ id: z.string(), delta: z.string() })

export const streamEventShape = z.discriminatedUnion('type', [
  delta.extend({ type: z.literal('text_delta') }),
  delta.extend({ type: z.literal('thinking_delta') }),
  delta.extend({ type: z.literal('tool_call_delta') }),
  z.object({ type: z.literal('tool_call_begin'), id: z.string(), name: z.string() }),
  z.object({ type: z.literal('tool_call_end'), call: z.object({ id: z.string(), name: z.string() }) }),
])

export const replyShape = z.object({
  type: z.literal('assistant'),
  id: label,
  content: z.array(z.object({ type: z.string() })),
  stopReason: z.enum(stopReasons),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }),
})
