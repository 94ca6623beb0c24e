import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'
import type { AssistantMessage, ToolResultMessage } from '../message.ts'
import { type ClaudeToolWords, claudeBlock, claudeStop, claudeUsage } from './claude-words.ts'
import { toolOutcome } from './tool-outcome.ts'

/** One agent at work: the conversation's own, or one that a call started. */
export interface ReplyAuthor {
  model: string
  /** The id of the reply that it is in. */
  replyId: string
  /** The call that started it. */
  readonly parent: string | null
}

export interface ReplyLinesOptions {
  readonly speaker: ReplyAuthor
  readonly words: ClaudeToolWords
  readonly newId: () => string
}

/**
 * Writes a reply, each block in a line of its own: programs read the first block of a line. The last line has the message's id and its
 * stop reason.
 */
export function replyLines(message: AssistantMessage, options: ReplyLinesOptions): readonly JsonObject[] {
  const { content, stopReason, usage, timestamp, id } = message
  const { speaker, words, newId } = options
  const last = content.length - 1
  return content.map((block, at) => ({
    type: 'assistant',
    message: {
      id: speaker.replyId,
      type: 'message',
      role: 'assistant',
      model: speaker.model,
      content: [claudeBlock(block, words)],
      stop_reason: at === last ? claudeStop(stopReason) : null,
      stop_sequence: null,
      usage: claudeUsage(usage),
    },
    parent_tool_use_id: speaker.parent,
    timestamp,
    uuid: at === last ? id : newId(),
  }))
}

export interface ToolResultLineOptions {
  readonly parent: string | null
  readonly words: ClaudeToolWords
  /** The arguments of the call, in Claude's words. */
  readonly input: JsonValue
  /** Keeps the blocks of a text, as for calls whose results Claude Code writes so. */
  readonly keepsBlocks: boolean
}

/** Writes the result of a call: a text where it is nothing else, as Claude Code does for its own tools. */
export function toolResultLine(message: ToolResultMessage, options: ToolResultLineOptions): JsonObject {
  const { parent, words, input, keepsBlocks } = options
  const { toolCallId, isError, timestamp, id } = message
  const blocks = message.content.map((block) => claudeBlock(block, words))
  const texts = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  const isText = texts.length === blocks.length && (!keepsBlocks || isError)
  const content = isText ? texts.join('') : blocks
  return {
    type: 'user',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: toolCallId, content, is_error: isError }],
    },
    parent_tool_use_id: parent,
    tool_use_result: toolOutcome(message, { content, input: isJsonObject(input) ? input : {} }),
    timestamp,
    uuid: id,
  }
}
