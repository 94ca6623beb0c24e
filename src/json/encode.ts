import { unreachable } from '../error.ts'
import type { ContentBlock, Message } from '../message.ts'
import { roundUsd } from '../model.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { SessionState } from '../session.ts'
import type { Usage } from '../usage.ts'
import type { DiskBlock, DiskEnvelope, DiskMessage, DiskUsage } from './schema.ts'

/** Encodes a message for the disk. */
export function encodeMessage(message: Message): DiskMessage {
  const base = {
    id: message.id,
    ...omitUndefined({ parent_id: message.parentId }),
    content: message.content.map(encodeBlock),
    timestamp: message.timestamp,
    ...omitUndefined({ metadata: message.metadata, provider_data: message.providerData }),
  }
  switch (message.type) {
    case 'user':
      return { type: 'user', ...base }
    case 'assistant':
      return {
        type: 'assistant',
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
        type: 'tool_result',
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

export function encodeBlock(block: ContentBlock): DiskBlock {
  const opaque = omitUndefined({ provider_data: block.providerData })
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
      return { type: 'image', mime_type: block.mimeType, data: block.data, ...opaque }
    case 'document': {
      const { mimeType, name } = block
      return {
        type: 'document',
        mime_type: mimeType,
        data: block.data,
        ...omitUndefined({ name }),
        ...opaque,
      }
    }
    case 'tool_call': {
      const { id, name, argumentsRaw } = block
      return {
        type: 'tool_call',
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

export function encodeUsage(usage: Usage): DiskUsage {
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

/** Formats US dollars for printing. Null when the price is unknown. */
export function encodeCost(costUsd: number | undefined): number | null {
  return costUsd === undefined ? null : roundUsd(costUsd)
}

/** Encodes the state of a session, bounded in size, for the disk. */
export function encodeState(state: SessionState): DiskEnvelope {
  const { title, head, model, usage, costUsd } = state
  return omitUndefined({
    title,
    head,
    model,
    usage: usage === undefined ? undefined : encodeUsage(usage),
    cost_usd: costUsd === undefined ? undefined : roundUsd(costUsd),
  })
}
