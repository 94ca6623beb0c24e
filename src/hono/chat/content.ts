import { invalidField } from '../../error.ts'
import { mediaFault } from '../../media/media-fault.ts'
import { maxMediaBytes } from '../../media/media-limits.ts'
import { mediaType } from '../../media/media-type.ts'
import type { ContentBlock } from '../../message.ts'
import type { ChatPart } from './chat-body.ts'

/** Converts the content of a message to blocks, without empty texts. `field` names it in errors. Throws `invalid`. */
export function contentBlocks(
  content: string | readonly ChatPart[] | null | undefined,
  field: string,
): readonly ContentBlock[] {
  const parts: readonly ChatPart[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
  return parts
    .map((part, i) => toBlock(part, `${field}.${i}`))
    .filter((block) => block.type !== 'text' || block.text !== '')
}

function toBlock(part: ChatPart, field: string): ContentBlock {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'refusal':
      return { type: 'text', text: part.refusal }
    case 'image_url':
      return dataUrlBlock(part.image_url.url, undefined, `${field}.image_url.url`)
    case 'file':
      return dataUrlBlock(part.file.file_data, part.file.filename, `${field}.file.file_data`)
  }
}

/** Makes a block of a data URL. */
export function dataUrlBlock(url: string, name: string | undefined, field: string): ContentBlock {
  const data = /^data:[^,]*;base64,([A-Za-z0-9+/\s]*=*)$/i.exec(url)?.[1]?.replace(/\s/g, '')
  if (data === undefined)
    throw invalidField(field, 'is not a data URL in base64; this server fetches no addresses')
  return base64Block(data, name, field)
}

/** Makes a block of data in base64. What it holds is decided by its bytes, not by what the client says. */
export function base64Block(data: string, name: string | undefined, field: string): ContentBlock {
  const bytes = Buffer.from(data, 'base64')
  const mimeType = mediaType(bytes)
  if (mimeType === undefined) throw invalidField(field, 'is not a PNG, JPEG, GIF, WebP or PDF')
  if (bytes.length > maxMediaBytes)
    throw invalidField(field, `has ${bytes.length} bytes, more than ${maxMediaBytes}`)
  const fault = mediaFault(mimeType, bytes)
  if (fault !== undefined) throw invalidField(field, fault)
  if (mimeType.startsWith('image/')) return { type: 'image', mimeType, data }
  return { type: 'document', mimeType, data, ...(name === undefined ? {} : { name }) }
}
