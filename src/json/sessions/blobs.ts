import type { DiskBlob, DiskBlock, DiskMessage } from '../documents/schema.ts'

/** Maximum base64 characters of an image or document without its own file. */
const inlineLimit = 256 * 1024

/** Keeps bytes where their SHA-256 finds them. */
export type WriteBlob = (bytes: Buffer) => Promise<DiskBlob>

/** Moves a message's large images and documents to where `write` keeps them. */
export async function detachBlobs(message: DiskMessage, write: WriteBlob): Promise<DiskMessage> {
  if (!message.content.some(isLarge)) return message
  const content: DiskBlock[] = []
  for (const block of message.content) content.push(isLarge(block) ? await detach(block, write) : block)
  return { ...message, content }
}

type Media = Extract<DiskBlock, { readonly type: 'image' | 'document' }>
type LargeBlock = Media & { readonly data: string }

function isLarge(block: DiskBlock): block is LargeBlock {
  return holdsMedia(block) && block.data !== undefined && block.data.length > inlineLimit
}

function holdsMedia(block: DiskBlock): block is Media {
  return block.type === 'image' || block.type === 'document'
}

/** Whether an image or document has its bytes, or names their file. */
export function hasBytes(media: { readonly data?: unknown; readonly blob?: unknown }): boolean {
  return media.data !== undefined || media.blob !== undefined
}

async function detach(block: LargeBlock, write: WriteBlob): Promise<DiskBlock> {
  const { data, ...rest } = block
  const bytes = Buffer.from(data, 'base64')
  // Stores only data that decodes and encodes to the same text.
  if (bytes.toString('base64') !== data) return block
  return { ...rest, blob: await write(bytes) }
}

/** Lists the blobs that a message refers to. */
export function blobsOf(message: DiskMessage): readonly DiskBlob[] {
  return message.content.flatMap((block) =>
    holdsMedia(block) && block.blob !== undefined ? [block.blob] : [],
  )
}
