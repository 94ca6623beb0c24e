import { PipeError, unreachable } from '../../error.ts'
import { crypto } from '../../files/lazy-crypto.ts'
import { formatUuid, isMessageId, type MessageId, type SessionId } from '../../id.ts'
import type { ContentBlock, Message } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { type StopReason, stopReasons, type Usage } from '../../usage.ts'
import type { DiskBlock, DiskMessage, DiskUsage } from './schema.ts'

/** Returns the bytes of a blob as base64, if present. */
export type BlobReader = (sha256: string) => string | undefined

export interface MessageIds {
  readonly id: MessageId
  readonly parentId: MessageId | undefined
}

/** Decodes a message from disk. A text replaces a block with missing bytes. */
export function decodeMessage(disk: DiskMessage, ids: MessageIds, bytesOf: BlobReader): Message {
  const base = {
    id: ids.id,
    content: disk.content.map((block) => decodeBlock(block, bytesOf)),
    timestamp: disk.timestamp,
    ...omitUndefined({ metadata: disk.metadata, parentId: ids.parentId }),
    ...decodeProviderData(disk),
  }
  switch (disk.type) {
    case 'user':
      return { type: 'user', ...base }
    case 'assistant': {
      const stop = decodeStopReason(disk.stop_reason)
      const raw = disk.raw_stop_reason ?? (stop === undefined ? disk.stop_reason : undefined)
      return {
        type: 'assistant',
        ...base,
        stopReason: stop ?? 'unknown',
        usage: decodeUsage(disk.usage),
        ...omitUndefined({
          provider: disk.provider,
          model: disk.model,
          rawStopReason: raw,
          responseId: disk.response_id,
          requestId: disk.request_id,
        }),
      }
    }
    case 'tool_result':
      return {
        type: 'tool_result',
        toolCallId: disk.tool_call_id,
        toolName: disk.tool_name,
        ...base,
        isError: disk.is_error,
        ...omitUndefined({ details: disk.details }),
      }
    default:
      return unreachable(disk)
  }
}

function decodeProviderData({ provider_data: found }: Pick<DiskMessage, 'provider_data'>) {
  return found === undefined ? {} : { providerData: { provider: found.provider, data: found.data } }
}

export function decodeBlock(block: DiskBlock, bytesOf: BlobReader): ContentBlock {
  const opaque = decodeProviderData(block)
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text, ...opaque }
    case 'thinking': {
      const { signature, redacted } = block
      return {
        type: 'thinking',
        thinking: block.thinking,
        ...omitUndefined({ signature, redacted }),
        ...opaque,
      }
    }
    case 'image':
    case 'document': {
      const { data, blob } = block
      const bytes = blob === undefined ? data : bytesOf(blob.sha256)
      const media = { mimeType: block.mime_type, ...opaque }
      if (bytes === undefined) return { type: 'text', text: `[${block.type} missing: ${block.mime_type}]` }
      return block.type === 'image'
        ? { type: 'image', ...media, data: bytes }
        : { type: 'document', ...media, data: bytes, ...omitUndefined({ name: block.name }) }
    }
    case 'tool_call':
      return {
        type: 'tool_call',
        id: block.id,
        name: block.name,
        arguments: block.arguments,
        ...omitUndefined({ argumentsRaw: block.arguments_raw }),
        ...opaque,
      }
    default:
      return unreachable(block)
  }
}

export function decodeUsage(disk: DiskUsage): Usage {
  return {
    inputTokens: disk.input_tokens,
    outputTokens: disk.output_tokens,
    ...omitUndefined({
      cacheReadTokens: disk.cache_read_tokens,
      cacheWriteTokens: disk.cache_write_tokens,
      reasoningTokens: disk.reasoning_tokens,
      raw: disk.raw,
    }),
  }
}

/** Decodes a stop reason; `undefined` for a word that this version does not know. */
export function decodeStopReason(word: string): StopReason | undefined {
  return stopReasons.find((reason) => reason === word)
}

/**
 * Returns the message id for a name in the file: a UUID unchanged, else a UUID derived from the name, or from the position of a
 * message without one. It is the same at each load.
 */
export function decodeMessageId(session: SessionId, name: string): MessageId {
  if (isMessageId(name)) return name
  const hash = crypto().createHash('sha256').update(`${session}\n${name}`).digest()
  const id = formatUuid(hash.subarray(0, 16), 8)
  if (isMessageId(id)) return id
  throw new PipeError('internal', `made a malformed message id: ${id}`)
}
