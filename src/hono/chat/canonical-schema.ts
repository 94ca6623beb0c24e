import * as z from 'zod'
import { canonicalFault, roles } from '../../canonical/canonical.ts'
import { isMessageId } from '../../id.ts'
import { errorResponseSchema } from '../refusal.ts'

const cannotBeEmpty = 'Cannot be empty'

const messageShape = z.object({
  id: z
    .guid({ error: 'Must be a valid UUID' })
    .transform((id) => id.toLowerCase())
    .refine(isMessageId),
  role: z.enum(roles, { error: `Must be one of ${roles.join(', ')}` }),
  content: z.string().min(1, { error: cannotBeEmpty }),
  timestamp: z.string(),
  metadata: z.record(z.string(), z.string({ error: 'Must be a string' })).default({}),
})

/** Schema of a message, in both directions. `now` returns milliseconds since 1970. */
export function canonicalMessageSchema(now: () => number) {
  return messageShape.superRefine((message, { addIssue }) => {
    const fault = canonicalFault(message, now())
    if (fault !== undefined) addIssue({ code: 'custom', path: [fault.field], message: fault.reason })
  })
}

/** Schema of `ChatCompletionRequest`. */
export function canonicalRequestSchema(now: () => number) {
  return z.object({
    messages: z.array(canonicalMessageSchema(now)).min(1, { error: cannotBeEmpty }),
    model: z.string().nullish(),
    temperature: z
      .number()
      .min(0, { error: 'Must be between 0.0 and 2.0' })
      .max(2, { error: 'Must be between 0.0 and 2.0' })
      .nullish(),
    max_tokens: z.int().min(1, { error: 'Must be above 0' }).max(0xffff_ffff).nullish(),
    stream: z.boolean().default(false),
  })
}

export const tokenUsageSchema = z.object({
  prompt_tokens: z.int().min(0),
  completion_tokens: z.int().min(0),
  total_tokens: z.int().min(0),
})

/** Schema of `ChatCompletionResponse`. */
export const canonicalResponseSchema = z.object({
  message: messageShape.extend({ id: z.guid(), metadata: z.record(z.string(), z.string()).optional() }),
  model: z.string(),
  usage: tokenUsageSchema.optional(),
})

/** Schema of the data of an event of a stream: a piece of the text, or at its end the response or an error. */
export const canonicalEventSchema = z.union([
  z.object({ text: z.string() }),
  canonicalResponseSchema,
  errorResponseSchema,
])
