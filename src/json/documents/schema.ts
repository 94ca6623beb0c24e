import * as z from 'zod'
import { isTexts } from '../../wire/json-check.ts'
import { json } from '../opaque.ts'
import { hasBytes } from '../sessions/blobs.ts'
import { currentVersion } from '../sessions/layout.ts'
import { interactionSchema, responseSchema } from './interaction-schema.ts'

// The schema of a session file. Ignores unknown fields and passes opaque values (arguments, details, raw usage, provider data)
// through unchanged.

const texts = z
  .custom<Readonly<Record<string, string>>>(isTexts)
  .meta({ type: 'object', additionalProperties: { type: 'string' } })

const providerData = z.object({ provider: z.string(), data: json })

export const usageSchema = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_read_tokens: z.number().exactOptional(),
  cache_write_tokens: z.number().exactOptional(),
  reasoning_tokens: z.number().exactOptional(),
  raw: json.exactOptional(),
})

/** Bytes in a file next to the session, named by their SHA-256. */
const blob = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), size: z.int().nonnegative() })

const block = { provider_data: providerData.exactOptional() }

const media = { mime_type: z.string(), data: z.string().exactOptional(), blob: blob.exactOptional() }

export const blockSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), ...block }),
  z.object({
    type: z.literal('thinking'),
    thinking: z.string(),
    signature: z.string().exactOptional(),
    redacted: z.boolean().exactOptional(),
    ...block,
  }),
  z.object({ type: z.literal('image'), ...media, ...block }).refine(hasBytes, 'has neither data nor blob'),
  z
    .object({ type: z.literal('document'), ...media, name: z.string().exactOptional(), ...block })
    .refine(hasBytes, 'has neither data nor blob'),
  z.object({
    type: z.literal('tool_call'),
    id: z.string(),
    name: z.string(),
    arguments: json,
    arguments_raw: z.string().exactOptional(),
    ...block,
  }),
])

const message = {
  id: z.string().exactOptional(),
  parent_id: z.string().exactOptional(),
  content: z.array(blockSchema),
  timestamp: z.string(),
  metadata: texts.exactOptional(),
  provider_data: providerData.exactOptional(),
}

export const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user'), ...message }),
  z.object({
    type: z.literal('assistant'),
    ...message,
    provider: z.string().exactOptional(),
    model: z.string().exactOptional(),
    stop_reason: z.string(),
    raw_stop_reason: z.string().exactOptional(),
    usage: usageSchema,
    response_id: z.string().exactOptional(),
    request_id: z.string().exactOptional(),
  }),
  z.object({
    type: z.literal('tool_result'),
    tool_call_id: z.string(),
    tool_name: z.string(),
    ...message,
    is_error: z.boolean(),
    details: json.exactOptional(),
  }),
])

/** A question that waits for an answer, and the call that asks it. */
const pendingSchema = z.object({
  call_id: z.string(),
  interaction: interactionSchema,
  subject: z.string(),
  child_session_id: z.string().exactOptional(),
  child_name: z.string().exactOptional(),
  response: responseSchema.exactOptional(),
})

/** The fields around the messages. Damage may remove any of them. */
export const envelopeSchema = z.object({
  system_prompt: z.string().exactOptional(),
  created_at: z.string().exactOptional(),
  updated_at: z.string().exactOptional(),
  cwd: z.string().exactOptional(),
  parent_session_id: z.string().exactOptional(),
  parent_call_id: z.string().exactOptional(),
  title: z.string().exactOptional(),
  head: z.string().exactOptional(),
  model: z.string().exactOptional(),
  usage: usageSchema.exactOptional(),
  cost_usd: z.number().exactOptional(),
  last_turn: z.object({ after: z.string(), outcome: z.enum(['done', 'failed']) }).exactOptional(),
  pending: z.array(pendingSchema).exactOptional(),
  moved_to: z.string().exactOptional(),
})

/** A whole session file. */
export const sessionSchema = z.object({
  version: z.literal(currentVersion),
  id: z.string(),
  ...envelopeSchema.shape,
  messages: z.array(messageSchema),
})

export type DiskPending = z.infer<typeof pendingSchema>
export type DiskMessage = z.infer<typeof messageSchema>
export type DiskBlock = z.infer<typeof blockSchema>
export type DiskUsage = z.infer<typeof usageSchema>
export type DiskBlob = z.infer<typeof blob>
export type DiskEnvelope = z.infer<typeof envelopeSchema>
