import { isDeeper, type JsonValue, maxArgumentLevels, parseJson } from '../json-value.ts'
import { maxMediaBytes } from '../media/media-limits.ts'
import { mediaType } from '../media/media-type.ts'
import type { ContentBlock, TextBlock, ToolCallBlock } from '../message.ts'
import type { StopReason } from '../usage.ts'
import type { ReplyEntry } from './import-entry.ts'
import type { LeaveOut } from './left-out.ts'

/** Returns why a reply ended, in our words and those of its file; nothing if that does not say. */
export function endingOf(
  raw: string,
  reasons: ReadonlyMap<string, StopReason>,
): Pick<ReplyEntry, 'stopReason' | 'rawStopReason'> {
  return raw === '' ? {} : { stopReason: reasons.get(raw) ?? 'unknown', rawStopReason: raw }
}

export function textBlock(text: string): TextBlock {
  return { type: 'text', text }
}

/** Makes a block of base64 bytes. A text replaces bytes that models do not accept. */
export function mediaBlock(data: string, leaveOut: LeaveOut): ContentBlock {
  const mimeType = mediaType(Buffer.from(data.slice(0, 64), 'base64'))
  const isWhole = /^[A-Za-z0-9+/]+={0,2}$/.test(data) && data.length % 4 === 0
  if (mimeType === undefined || !isWhole || data.length > (maxMediaBytes / 3) * 4) {
    leaveOut('images or documents that are damaged, above 4.5 MiB, or of a type that models do not accept')
    return textBlock('[an image or document that could not be imported]')
  }
  return { type: mimeType === 'application/pdf' ? 'document' : 'image', mimeType, data }
}

/** Makes a block of a `data:` URL. A text replaces any other address, because nothing is fetched. */
export function mediaBlockOf(url: string, leaveOut: LeaveOut): ContentBlock {
  const [, data] = /^data:[^,]{0,200};base64,(.*)$/s.exec(url) ?? []
  if (data !== undefined) return mediaBlock(data, leaveOut)
  leaveOut('images that are only an address')
  return textBlock('[an image that could not be imported]')
}

/** Makes a call. Arguments nested too deeply are kept as text, as in a reply. */
export function callBlock(id: string, name: string, args: JsonValue): ToolCallBlock {
  return isDeeper(args, maxArgumentLevels)
    ? brokenCall(id, name, JSON.stringify(args))
    : { type: 'tool_call', id, name, arguments: args }
}

/** Makes a call of arguments as JSON text. */
export function callBlockOf(id: string, name: string, args: string): ToolCallBlock {
  const parsed = parseJson(args.trim() === '' ? '{}' : args, maxArgumentLevels)
  return parsed === undefined
    ? brokenCall(id, name, args)
    : { type: 'tool_call', id, name, arguments: parsed }
}

function brokenCall(id: string, name: string, argumentsRaw: string): ToolCallBlock {
  return { type: 'tool_call', id, name, arguments: null, argumentsRaw }
}
