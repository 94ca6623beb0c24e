import { isMedia } from '../sessions/blobs.ts'
import { isBoolean, isNumber, isPresent, isString, isTexts, list, object, variant } from './check.ts'
import type { DiskBlob, DiskBlock, DiskEnvelope, DiskMessage, DiskUsage } from './schema.ts'

// Accepts what the schemas accept, because they take too long to load for files without a fault.

type DiskProviderData = NonNullable<DiskMessage['provider_data']>

const isProviderData = object<DiskProviderData>({ provider: isString, data: isPresent }, {})

const isUsage = object<DiskUsage>(
  { input_tokens: isNumber, output_tokens: isNumber },
  {
    cache_read_tokens: isNumber,
    cache_write_tokens: isNumber,
    reasoning_tokens: isNumber,
    raw: isPresent,
  },
)

export const sha256Pattern = /^[0-9a-f]{64}$/

const isBlob = object<DiskBlob>({ sha256: isSha256, size: isSize }, {})

function isSha256(value: unknown): value is string {
  return isString(value) && sha256Pattern.test(value)
}

function isSize(value: unknown): value is number {
  return isNumber(value) && Number.isSafeInteger(value) && value >= 0
}

const block = { provider_data: isProviderData }
const media = [{ mime_type: isString }, { data: isString, blob: isBlob, ...block }] as const

const hasFields = variant<DiskBlock>({
  text: [{ text: isString }, block],
  thinking: [{ thinking: isString }, { signature: isString, redacted: isBoolean, ...block }],
  image: media,
  document: [media[0], { name: isString, ...media[1] }],
  tool_call: [
    { id: isString, name: isString, arguments: isPresent },
    { arguments_raw: isString, ...block },
  ],
})

function isBlock(value: unknown): value is DiskBlock {
  return hasFields(value) && (!isMedia(value) || hasBytes(value))
}

/** Whether an image or document has its bytes, or names their file. */
export function hasBytes(media: { readonly data?: unknown; readonly blob?: unknown }): boolean {
  return media.data !== undefined || media.blob !== undefined
}

const required = { content: list(isBlock), timestamp: isString }
const optional = { id: isString, parent_id: isString, metadata: isTexts, provider_data: isProviderData }

/** Accepts exactly what `messageSchema` does. */
export const isDiskMessage = variant<DiskMessage>({
  user: [required, optional],
  assistant: [
    { ...required, stop_reason: isString, usage: isUsage },
    {
      ...optional,
      provider: isString,
      model: isString,
      raw_stop_reason: isString,
      response_id: isString,
      request_id: isString,
    },
  ],
  tool_result: [
    { ...required, tool_call_id: isString, tool_name: isString, is_error: isBoolean },
    { ...optional, details: isPresent },
  ],
})

/** Accepts exactly what `envelopeSchema` does, but ignores open questions. */
export const isDiskEnvelope = object<Omit<DiskEnvelope, 'pending'>>(
  {},
  {
    system_prompt: isString,
    created_at: isString,
    updated_at: isString,
    cwd: isString,
    parent_session_id: isString,
    parent_call_id: isString,
    title: isString,
    head: isString,
    model: isString,
    usage: isUsage,
    cost_usd: isNumber,
    moved_to: isString,
  },
)
