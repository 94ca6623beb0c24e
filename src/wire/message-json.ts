import { unreachable } from '../error.ts'
import type { ContentBlock, Message } from '../message.ts'
import { roundUsd } from '../model.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Usage } from '../usage.ts'

/** Encodes a message as JSON, as session files and the formats for programs have it. */
export function encodeMessage(message: Message) {
  const base = {
    id: message.id,
    ...omitUndefined({ parent_id: message.parentId }),
    content: message.content.map(encodeBlock),
    timestamp: message.timestamp,
    ...omitUndefined({ metadata: message.metadata, provider_data: message.providerData }),
  }
  switch (message.type) {
    case 'user':
      return { type: message.type, ...base }
    case 'assistant':
      return {
        type: message.type,
        ...base,
        ...omitUndefined({ provider: message.provider, model: message.model }),
        stop_reason: message.stopReason,
        usage: encodeUsage(message.usage),
        ...omitUndefined({
          raw_stop_reason: message.rawStopReason,
          response_id: message.responseId,
          request_id: message.requestId,
        }),
      }
    case 'tool_result':
      return {
        type: message.type,
        tool_call_id: message.toolCallId,
        tool_name: message.toolName,
        ...base,
        is_error: message.isError,
        ...omitUndefined({ details: message.details }),
      }
    default:
      return unreachable(message)
  }
}

export function encodeBlock(block: ContentBlock) {
  const opaque = omitUndefined({ provider_data: block.providerData })
  switch (block.type) {
    case 'text':
      return { type: block.type, text: block.text, ...opaque }
    case 'thinking': {
      const { signature, redacted } = block
      return {
        type: block.type,
        thinking: block.thinking,
        ...omitUndefined({ signature, redacted }),
        ...opaque,
      }
    }
    case 'image':
      return { type: block.type, mime_type: block.mimeType, data: block.data, ...opaque }
    case 'document': {
      const { mimeType, name } = block
      return {
        type: block.type,
        mime_type: mimeType,
        data: block.data,
        ...omitUndefined({ name }),
        ...opaque,
      }
    }
    case 'tool_call': {
      const { id, name, argumentsRaw } = block
      return {
        type: block.type,
        id,
        name,
        arguments: block.arguments,
        ...omitUndefined({ arguments_raw: argumentsRaw }),
        ...opaque,
      }
    }
    default:
      return unreachable(block)
  }
}

export function encodeUsage(usage: Usage) {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    ...omitUndefined({
      cache_read_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWriteTokens,
      reasoning_tokens: usage.reasoningTokens,
      raw: usage.raw,
    }),
  }
}

/** Encodes US dollars as a field, which is absent if the price is unknown. */
export function encodeCost(costUsd: number | undefined): { readonly cost_usd?: number } {
  return costUsd === undefined ? {} : { cost_usd: roundUsd(costUsd) }
}
