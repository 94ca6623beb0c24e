import type { JsonObject, JsonValue } from '../../json-value.ts'
import type { ContentBlock } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { StopReason, Usage } from '../../usage.ts'
import { count, object, objects, text } from '../../wire/json-fields.ts'
import type { EntryPlace, ReplyEntry, ResultEntry } from '../import-entry.ts'
import { agentNotes, type LeaveOut, unknownBlocks } from '../left-out.ts'
import { callBlock, endingOf, mediaBlock, mediaBlockOf, textBlock } from '../media-blocks.ts'
import { withoutLastReminders } from './claude-prompt.ts'

/** Reads a part of a reply. Signatures are those of Anthropic's models, on any platform, and of no other. */
export function readReply(message: JsonObject, place: EntryPlace, leaveOut: LeaveOut): ReplyEntry {
  const model = text(message['model'])
  const isOwn = model.includes('claude')
  const usage = object(message['usage'])
  return {
    type: 'reply',
    ...place,
    replyId: text(message['id']) || place.id,
    content: blocksOf(message['content']).flatMap((block) => readSpoken(block, isOwn, leaveOut)),
    ...omitUndefined({
      provider: isOwn ? 'anthropic' : undefined,
      model: model || undefined,
      usage: usage && readUsage(usage),
    }),
    ...endingOf(text(message['stop_reason']), stopReasons),
  }
}

const stopReasons: ReadonlyMap<string, StopReason> = new Map([
  ['end_turn', 'end_turn'],
  ['stop_sequence', 'end_turn'],
  ['tool_use', 'tool_use'],
  ['max_tokens', 'length'],
  ['refusal', 'refusal'],
])

/** Reads the results of calls in the content of a user's line. */
export function readResults(
  content: JsonValue | undefined,
  leaveOut: LeaveOut,
): readonly Pick<ResultEntry, 'toolCallId' | 'content' | 'isError'>[] {
  return blocksOf(content)
    .filter(({ type }) => type === 'tool_result')
    .map((block) => {
      if (text(block['content']).startsWith('<persisted-output>'))
        leaveOut('outputs that the agent keeps in other files, up to a preview')
      return {
        toolCallId: text(block['tool_use_id']),
        content: readShown(block['content'], leaveOut).flatMap((part) => withoutNotes(part, leaveOut)),
        isError: block['is_error'] === true,
      }
    })
}

/** Removes the reminders at the end of a result. */
function withoutNotes(block: ContentBlock, leaveOut: LeaveOut): readonly ContentBlock[] {
  if (block.type !== 'text') return [block]
  const { words, removed } = withoutLastReminders(block.text)
  if (removed === 0) return [block]
  leaveOut(agentNotes, removed)
  return words === '' ? [] : [textBlock(words)]
}

/** Reads text, images and documents. */
export function readShown(content: JsonValue | undefined, leaveOut: LeaveOut): readonly ContentBlock[] {
  return blocksOf(content).flatMap((block): ContentBlock[] => {
    switch (block['type']) {
      case 'tool_result':
        return []
      case 'text':
        return [textBlock(text(block['text']))]
      case 'image':
      case 'document':
        return [readMedia(object(block['source']) ?? {}, leaveOut)]
      default:
        leaveOut(unknownBlocks(block))
        return []
    }
  })
}

function readMedia(source: JsonObject, leaveOut: LeaveOut): ContentBlock {
  if (source['type'] === 'text') return textBlock(text(source['data']))
  return source['type'] === 'base64'
    ? mediaBlock(text(source['data']), leaveOut)
    : mediaBlockOf(text(source['url']), leaveOut)
}

function readSpoken(block: JsonObject, isOwn: boolean, leaveOut: LeaveOut): readonly ContentBlock[] {
  switch (block['type']) {
    case 'text':
      return [textBlock(text(block['text']))]
    case 'thinking': {
      const signature = isOwn ? text(block['signature']) || undefined : undefined
      return [{ type: 'thinking', thinking: text(block['thinking']), ...omitUndefined({ signature }) }]
    }
    case 'redacted_thinking':
      if (isOwn) return [{ type: 'thinking', thinking: '', signature: text(block['data']), redacted: true }]
      leaveOut('encrypted thoughts')
      return []
    case 'tool_use':
      return [callBlock(text(block['id']), text(block['name']) || 'unnamed', block['input'] ?? {})]
    default:
      leaveOut(unknownBlocks(block))
      return []
  }
}

/** Plain text stands for one block of text. */
function blocksOf(content: JsonValue | undefined): readonly JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content)
}

/** The server counts cached tokens beside the input. */
function readUsage(raw: JsonObject): Usage {
  const cacheReadTokens = count(raw['cache_read_input_tokens'])
  const cacheWriteTokens = count(raw['cache_creation_input_tokens'])
  return {
    inputTokens: (count(raw['input_tokens']) ?? 0) + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0),
    outputTokens: count(raw['output_tokens']) ?? 0,
    ...omitUndefined({ cacheReadTokens, cacheWriteTokens }),
    raw,
  }
}
