import type {
  Base64ImageSource,
  DocumentBlockParam,
  ImageBlockParam,
  TextBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages'
import { documentText } from '../media/media-support.ts'
import type { ContentBlock, DocumentBlock, ImageBlock } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'

/** Blocks that a user message or a tool result may hold. */
export type ShownBlock = TextBlockParam | ImageBlockParam | DocumentBlockParam

/** Converts text, images and documents. Leaves out blank text, which the server refuses. */
export function shownBlocks(blocks: readonly ContentBlock[]): ShownBlock[] {
  return blocks.flatMap((block): ShownBlock[] => {
    switch (block.type) {
      case 'text':
        return textBlocks(block.text)
      case 'image':
        return [imageBlock(block)]
      case 'document':
        return [documentBlock(block)]
      default:
        return []
    }
  })
}

/** Returns one block of text, or none if it is blank. */
export function textBlocks(text: string): TextBlockParam[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }]
}

function imageBlock({ mimeType, data }: ImageBlock): ImageBlockParam | TextBlockParam {
  return isImageType(mimeType)
    ? { type: 'image', source: { type: 'base64', media_type: mimeType, data } }
    : { type: 'text', text: `(an image of the type ${mimeType}, which cannot be shown)` }
}

function documentBlock(block: DocumentBlock): DocumentBlockParam {
  const text = documentText(block)
  const source: DocumentBlockParam['source'] =
    text === undefined
      ? { type: 'base64', media_type: 'application/pdf', data: block.data }
      : { type: 'text', media_type: 'text/plain', data: text }
  return { type: 'document', source, ...omitUndefined({ title: block.name }) }
}

type ImageType = Base64ImageSource['media_type']

function isImageType(mimeType: string): mimeType is ImageType {
  return /^image\/(jpeg|png|gif|webp)$/.test(mimeType)
}
