import { documentText } from '../media/media-support.ts'
import type { ContentBlock, DocumentBlock, ImageBlock } from '../message.ts'

export type TextPart = { readonly text: string }
export type MediaPart = { readonly inlineData: { readonly mimeType: string; readonly data: string } }

/** Converts text, images and documents. Leaves out empty text, which the server refuses. */
export function shownParts(blocks: readonly ContentBlock[]): readonly (TextPart | MediaPart)[] {
  return blocks.flatMap((block) => {
    switch (block.type) {
      case 'text':
        return block.text === '' ? [] : [{ text: block.text }]
      case 'image':
        return [imagePart(block)]
      case 'document':
        return [documentPart(block)]
      default:
        return []
    }
  })
}

function imagePart({ mimeType, data }: ImageBlock): TextPart | MediaPart {
  return /^image\/(png|jpeg|webp|heic|heif)$/.test(mimeType)
    ? { inlineData: { mimeType, data } }
    : { text: `(an image of the type ${mimeType}, which cannot be shown)` }
}

function documentPart(block: DocumentBlock): TextPart | MediaPart {
  const { mimeType, data } = block
  const plain = documentText(block)
  if (plain !== undefined) return { text: plain || '(an empty document)' }
  return mimeType === 'application/pdf'
    ? { inlineData: { mimeType, data } }
    : { text: `(a document of the type ${mimeType}, which cannot be shown)` }
}
