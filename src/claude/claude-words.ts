import type { JsonObject, JsonValue } from '../json-value.ts'
import type { ContentBlock, ThinkingBlock } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { StopReason, Usage } from '../usage.ts'
import { replyTokens } from '../wire/messages-api.ts'

/** Claude's words for our tools and their arguments. */
export interface ClaudeToolWords {
  call(tool: string, args: JsonValue): { readonly name: string; readonly input: JsonValue }
}

/** Writes a block as Claude's messages have it. */
export function claudeBlock(block: ContentBlock, words: ClaudeToolWords): JsonObject {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'thinking':
      return claudeThinking(block)
    case 'image':
      return { type: 'image', source: { type: 'base64', media_type: block.mimeType, data: block.data } }
    case 'document':
      return {
        type: 'document',
        source: { type: 'base64', media_type: block.mimeType, data: block.data },
        ...omitUndefined({ title: block.name }),
      }
    case 'tool_call': {
      const { name, input } = words.call(block.name, block.arguments)
      return { type: 'tool_use', id: block.id, name, input: input ?? {} }
    }
  }
}

function claudeThinking({ thinking, signature = '', redacted }: ThinkingBlock): JsonObject {
  return redacted === true
    ? { type: 'redacted_thinking', data: signature }
    : { type: 'thinking', thinking, signature }
}

const stopWords: Readonly<Partial<Record<StopReason, string>>> = {
  end_turn: 'end_turn',
  length: 'max_tokens',
  tool_use: 'tool_use',
  refusal: 'refusal',
}

/** Claude's word for the end of a reply; `null` for one that did not end by itself. */
export function claudeStop(reason: StopReason): string | null {
  return stopWords[reason] ?? null
}

/** Writes token counts as Claude has them. */
export function claudeUsage(usage: Usage): JsonObject {
  return {
    ...replyTokens(usage),
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWriteTokens ?? 0,
      ephemeral_1h_input_tokens: 0,
    },
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: 'standard',
  }
}
