import { documentText } from '../../media/media-support.ts'
import type { ContentBlock, DocumentBlock } from '../../message.ts'
import { dataUrl, fileFields } from '../data-url.ts'

type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | { readonly type: 'file'; readonly file: { readonly filename: string; readonly file_data: string } }

export type ChatContent = string | readonly ChatPart[]

/** Converts blocks to the content of a user message. Text alone becomes plain text, because some servers do not read parts. */
export function chatContent(blocks: readonly ContentBlock[]): ChatContent {
  const parts = blocks.flatMap(toParts)
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return texts.length === parts.length ? texts.join('\n\n') : parts
}

/** Joins two contents of one role. */
export function joinContent(a: ChatContent, b: ChatContent): ChatContent {
  return typeof a === 'string' && typeof b === 'string' ? `${a}\n\n${b}` : [...asParts(a), ...asParts(b)]
}

function asParts(content: ChatContent): readonly ChatPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** Converts a block to parts. Leaves out thinking and calls, which are not content here, and empty text, which servers refuse. */
function toParts(block: ContentBlock): readonly ChatPart[] {
  switch (block.type) {
    case 'text':
      return textParts(block.text)
    case 'image':
      return [{ type: 'image_url', image_url: { url: dataUrl(block) } }]
    case 'document':
      return documentParts(block)
    default:
      return []
  }
}

function documentParts(block: DocumentBlock): readonly ChatPart[] {
  const text = documentText(block)
  return text === undefined ? [{ type: 'file', file: fileFields(block) }] : textParts(text)
}

function textParts(text: string): readonly ChatPart[] {
  return text === '' ? [] : [{ type: 'text', text }]
}
