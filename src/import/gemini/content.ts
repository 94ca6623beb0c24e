import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import type { ContentBlock } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Usage } from '../../usage.ts'
import { count, list, object, objects, text } from '../../wire/json-fields.ts'
import type { ResultEntry, UserEntry } from '../import-entry.ts'
import { type LeaveOut, nameInFile } from '../left-out.ts'
import { callBlock, mediaBlock, textBlock } from '../media-blocks.ts'

/** The first part that Gemini CLI put behind a prompt, for the files that it names. */
const filesHeading = /^\s*--- Content from referenced files ---/

/** Reads a prompt. The files that it names come before the user's words. */
export function readPrompt(
  content: JsonValue | undefined,
  leaveOut: LeaveOut,
): Pick<UserEntry, 'content' | 'context'> {
  const parts = partsOf(content)
  const at = parts.findIndex((part) => filesHeading.test(text(part['text'])))
  const said = readShown(at === -1 ? parts : parts.slice(0, at), leaveOut)
  const files = at === -1 ? [] : readShown(parts.slice(at), leaveOut)
  return { content: [...files, ...said], context: files.length }
}

/** Reads text, thoughts, images and documents. Calls and their results are read elsewhere. */
export function readShown(parts: readonly JsonObject[], leaveOut: LeaveOut): readonly ContentBlock[] {
  return parts.flatMap((part): ContentBlock[] => {
    const media = object(part['inlineData'])
    if (media !== undefined) return [mediaBlock(text(media['data']), leaveOut)]
    if (part['fileData'] !== undefined) leaveOut('files that are only an address')
    else if (part['thought'] === true) return [{ type: 'thinking', thinking: text(part['text']) }]
    else if (typeof part['text'] === 'string') return [textBlock(part['text'])]
    else if (part['functionCall'] === undefined && part['functionResponse'] === undefined)
      leaveOut(`parts of the type ${nameInFile(Object.keys(part)[0], 'none')}`)
    return []
  })
}

/** Reads what a model said: its thoughts, its words and its calls. */
export function readReply(record: JsonObject, leaveOut: LeaveOut): readonly ContentBlock[] {
  const parts = partsOf(record['content'])
  const thoughts = objects(record['thoughts']).map(({ subject, description }): ContentBlock => {
    return { type: 'thinking', thinking: [text(subject), text(description)].filter(Boolean).join('\n\n') }
  })
  const calls = callsOf(record).map((call) =>
    callBlock(text(call['id']), text(call['name']) || 'unnamed', call['args'] ?? {}),
  )
  return [...thoughts, ...readShown(parts, leaveOut), ...calls]
}

/** Returns the calls of a message, which a later version of it writes as parts. */
function callsOf(record: JsonObject): readonly JsonObject[] {
  const calls = objects(record['toolCalls'])
  const parts = partsOf(record['content']).flatMap((part): JsonObject[] => {
    const call = object(part['functionCall'])
    return call === undefined ? [] : [call]
  })
  const known = new Set(calls.map(({ id }) => id))
  return [...calls, ...parts.filter(({ id }) => !known.has(id ?? ''))]
}

/** The result of a call. */
export type GeminiResult = Pick<ResultEntry, 'toolCallId' | 'content' | 'isError'>

/** Reads the results that a message of the model holds for its calls. */
export function readCallResults(record: JsonObject, leaveOut: LeaveOut): readonly GeminiResult[] {
  return objects(record['toolCalls']).flatMap((call) => {
    const failed = text(call['status']) === 'error' || text(call['status']) === 'cancelled'
    return readResults(call['result'], leaveOut).map((result) => ({
      ...result,
      toolCallId: text(call['id']),
      isError: result.isError || failed,
    }))
  })
}

/** Reads the results of calls among the parts of a message. */
export function readResults(content: JsonValue | undefined, leaveOut: LeaveOut): readonly GeminiResult[] {
  return partsOf(content).flatMap((part): GeminiResult[] => {
    const answer = object(part['functionResponse'])
    if (answer === undefined) return []
    const response = object(answer['response']) ?? {}
    const error = response['error']
    const output = error ?? response['output'] ?? response
    const words = typeof output === 'string' ? output : JSON.stringify(output)
    const content = [textBlock(words), ...readShown(objects(answer['parts']), leaveOut)]
    return [{ toolCallId: text(answer['id']), content, isError: error !== undefined }]
  })
}

/** Returns what tells a message from others, whatever its id; empty if it holds only results of calls. */
export function spokenKey(record: JsonObject): string {
  const parts = partsOf(record['content'])
  const said = parts.map((part) => text(part['text'])).join('')
  const calls = callsOf(record).map(({ name, args }) => `${text(name)} ${JSON.stringify(args)}`)
  return said === '' && calls.length === 0 ? '' : [text(record['type']), said, ...calls].join('\n')
}

export function partsOf(content: JsonValue | undefined): readonly JsonObject[] {
  const parts = Array.isArray(content) ? list(content) : [content ?? '']
  return parts.flatMap((part): JsonObject[] => {
    if (typeof part === 'string') return part === '' ? [] : [{ text: part }]
    return isJsonObject(part) ? [part] : []
  })
}

/** Thoughts are counted beside the output, and what tools took beside the input. */
export function readUsage(raw: JsonObject | undefined): Usage | undefined {
  if (raw === undefined) return undefined
  const reasoningTokens = count(raw['thoughts'])
  return {
    inputTokens: (count(raw['input']) ?? 0) + (count(raw['tool']) ?? 0),
    outputTokens: (count(raw['output']) ?? 0) + (reasoningTokens ?? 0),
    ...omitUndefined({ cacheReadTokens: count(raw['cached']), reasoningTokens }),
    raw,
  }
}
