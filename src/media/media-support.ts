import type { ContentBlock, DocumentBlock, ImageBlock, Message } from '../message.ts'
import type { ModelInfo } from '../model.ts'

/** The media that a model is known to accept. */
export type MediaSupport = Pick<ModelInfo, 'images' | 'documents'>

/**
 * Replaces images and documents that the model does not accept by a short text. Text documents stay. Returns the same objects if
 * nothing is replaced.
 */
export function withoutUnsupported(
  messages: readonly Message[],
  info: MediaSupport | undefined,
): readonly Message[] {
  if (info?.images !== false && info?.documents !== false) return messages
  return messages.map((message) =>
    message.content.some((block) => isUnsupported(block, info))
      ? {
          ...message,
          content: message.content.map((block) => (isUnsupported(block, info) ? note(block) : block)),
        }
      : message,
  )
}

/** Returns the text of a plain-text document; `undefined` for any other. */
export function documentText({ mimeType, data }: DocumentBlock): string | undefined {
  return isPlainText(mimeType) ? Buffer.from(data, 'base64').toString() : undefined
}

/** Whether a block is an image, or a document other than plain text. */
export function isMedia(block: ContentBlock): block is ImageBlock | DocumentBlock {
  return block.type === 'image' || isPaged(block)
}

/** Names an image or a document in a sentence: `an image`, `the document a.pdf`. */
export function mediaName(block: ImageBlock | DocumentBlock): string {
  if (block.type === 'image') return 'an image'
  return block.name === undefined ? 'a document' : `the document ${block.name}`
}

/** Whether a block is a document other than plain text. */
export function isPaged(block: ContentBlock): boolean {
  return block.type === 'document' && !isPlainText(block.mimeType)
}

function isPlainText(mimeType: string): boolean {
  return mimeType.startsWith('text/')
}

function isUnsupported(block: ContentBlock, { images, documents }: MediaSupport): boolean {
  if (block.type === 'image') return images === false
  return documents === false && isPaged(block)
}

function note(block: ContentBlock): ContentBlock {
  if (!isMedia(block)) return block
  const verb = block.type === 'image' ? 'see' : 'read'
  return { type: 'text', text: `(${mediaName(block)}, which this model cannot ${verb})` }
}
