import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomically } from '../files/atomic.ts'
import { crypto } from '../files/lazy-crypto.ts'
import { makeFolder } from './folder.ts'
import type { DiskBlob, DiskBlock, DiskMessage } from './schema.ts'

/** Characters of base64 above which an image or document gets a file of its own. */
const inlineLimit = 256 * 1024

/** The message with its large images and documents moved to files in `folder`, on the disk when it resolves. */
export async function detachBlobs(message: DiskMessage, folder: string): Promise<DiskMessage> {
  if (!message.content.some(isLarge)) return message
  const content: DiskBlock[] = []
  for (const block of message.content) content.push(isLarge(block) ? await detach(block, folder) : block)
  return { ...message, content }
}

type Media = Extract<DiskBlock, { readonly type: 'image' | 'document' }>
type LargeBlock = Media & { readonly data: string }

function isLarge(block: DiskBlock): block is LargeBlock {
  return isMedia(block) && block.data !== undefined && block.data.length > inlineLimit
}

function isMedia(block: DiskBlock): block is Media {
  return block.type === 'image' || block.type === 'document'
}

async function detach(block: LargeBlock, folder: string): Promise<DiskBlock> {
  const { data, ...rest } = block
  const bytes = Buffer.from(data, 'base64')
  // Only what comes back the same is put away as bytes.
  return bytes.toString('base64') === data ? { ...rest, blob: await writeBlob(bytes, folder) } : block
}

async function writeBlob(bytes: Buffer, folder: string): Promise<DiskBlob> {
  const blob = { sha256: sha256(bytes), size: bytes.length }
  const path = join(folder, blob.sha256)
  const written = await stat(path).catch(() => undefined)
  if (written?.size === blob.size) return blob
  makeFolder(folder)
  await writeAtomically(path, bytes, { mode: 0o600 })
  return blob
}

/** Blobs by their SHA-256, as base64. Those that are gone or damaged are left out. */
export async function readBlobs(
  blobs: readonly DiskBlob[],
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const blob of blobs) {
    const bytes = await readFile(join(folder, blob.sha256)).catch(() => undefined)
    if (bytes !== undefined && sha256(bytes) === blob.sha256) found.set(blob.sha256, bytes.toString('base64'))
  }
  return found
}

/** What a message says of its blobs. */
export function blobsOf(message: DiskMessage): readonly DiskBlob[] {
  return message.content.flatMap((block) => (isMedia(block) && block.blob !== undefined ? [block.blob] : []))
}

function sha256(bytes: Uint8Array): string {
  return crypto().createHash('sha256').update(bytes).digest('hex')
}
