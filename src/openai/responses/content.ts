import { documentText } from '../../media/media-support.ts'
import type { ContentBlock, DocumentBlock } from '../../message.ts'
import { dataUrl, fileFields } from '../data-url.ts'

export type InputPart =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly detail: 'auto'; readonly image_url: string }
  | { readonly type: 'input_file'; readonly filename: string; readonly file_data: string }

/** Converts text, images and documents. Leaves out empty text, which servers refuse. */
export function inputParts(blocks: readonly ContentBlock[]): readonly InputPart[] {
  return blocks.flatMap((block): InputPart[] => {
    switch (block.type) {
      case 'text':
        return textParts(block.text)
      case 'image':
        return [{ type: 'input_image', detail: 'auto', image_url: dataUrl(block) }]
      case 'document':
        return documentParts(block)
      default:
        return []
    }
  })
}

function documentParts(block: DocumentBlock): InputPart[] {
  const text = documentText(block)
  return text === undefined ? [{ type: 'input_file', ...fileFields(block) }] : textParts(text)
}

function textParts(text: string): InputPart[] {
  return text === '' ? [] : [{ type: 'input_text', text }]
}
