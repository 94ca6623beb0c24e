import type { JsonObject } from '../../json-value.ts'
import type { ContentBlock } from '../../message.ts'
import { object, objects, text } from '../../wire/json-fields.ts'
import type { LeaveOut } from '../left-out.ts'
import { mediaBlock, textBlock } from '../media-blocks.ts'

/** Reads a file or folder that the user attached to a prompt; `undefined` if it is something else. */
export function readAttached(
  attachment: JsonObject,
  leaveOut: LeaveOut,
): readonly ContentBlock[] | undefined {
  const { type, content } = attachment
  switch (type) {
    case 'file':
    case 'already_read_file':
      return readFile(text(attachment['filename']), object(content) ?? {}, leaveOut)
    case 'directory':
      return typeof content === 'string' ? [shownFile(text(attachment['path']), content)] : undefined
    case 'selected_lines_in_ide':
      return typeof content === 'string' ? [shownFile(text(attachment['filename']), content)] : undefined
    case 'mcp_resource':
      return objects(object(content)?.['contents']).map((part) =>
        shownFile(text(attachment['uri']), text(part['text'])),
      )
    default:
      return undefined
  }
}

function readFile(
  name: string,
  content: JsonObject,
  leaveOut: LeaveOut,
): readonly ContentBlock[] | undefined {
  const file = object(content['file']) ?? {}
  const path = text(file['filePath']) || name
  if (typeof file['content'] === 'string') return [shownFile(path, file['content'])]
  if (typeof file['base64'] === 'string') return [mediaBlock(file['base64'], leaveOut)]
  if (file['cells'] !== undefined) return [shownFile(path, JSON.stringify(file['cells']))]
  return undefined
}

function shownFile(path: string, words: string): ContentBlock {
  return textBlock(`<file path=${JSON.stringify(path)}>\n${words}\n</file>`)
}
