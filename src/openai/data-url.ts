import type { DocumentBlock, ImageBlock } from '../message.ts'

export function dataUrl({ mimeType, data }: ImageBlock | DocumentBlock): string {
  return `data:${mimeType};base64,${data}`
}

/** Converts a document to a file with its name. */
export function fileFields(block: DocumentBlock): { readonly filename: string; readonly file_data: string } {
  return { filename: block.name ?? 'document.pdf', file_data: dataUrl(block) }
}
