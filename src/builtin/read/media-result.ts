import { basename } from 'node:path'
import { imageSize } from '../../media/image-size.ts'
import { mediaFault } from '../../media/media-fault.ts'
import { maxMediaBytes } from '../../media/media-limits.ts'
import type { ContentBlock } from '../../message.ts'
import { errorResult, type ToolResult } from '../../tool.ts'
import { limits, limitTexts } from '../tool-limits.ts'

interface Media {
  /** The name of the file in results. */
  readonly shown: string
  readonly mimeType: string
  readonly bytes: Uint8Array
}

/** Shows an image or a document to the model. Refuses what servers would refuse, with advice on how to shrink it. */
export function mediaResult({ shown, mimeType, bytes }: Media): ToolResult {
  const isImage = mimeType.startsWith('image/')
  const refuse = (why: string) => errorResult(`${shown} is ${isImage ? 'an image' : 'a PDF'} ${why}`)
  if (bytes.length > maxMediaBytes) {
    return refuse(
      `above ${limitTexts.mediaBytes}: ${isImage ? shrink : 'read its text through bash (pdftotext), or extract pages (qpdf)'}`,
    )
  }
  const fault = mediaFault(mimeType, bytes)
  if (fault !== undefined) return errorResult(`${shown} cannot be shown: ${fault}`)
  const data = Buffer.from(bytes).toString('base64')
  if (!isImage) {
    // Some servers append their note that they cannot show it without a separator.
    const hint = 'if you cannot see it, get its text with pdftotext through bash'
    return result(`${shown}: ${mimeType}, ${bytes.length} bytes; ${hint}\n`, {
      type: 'document',
      mimeType,
      data,
      name: basename(shown),
    })
  }
  const { width, height } = imageSize(mimeType, bytes) ?? { width: 0, height: 0 }
  const pixels = `${width}x${height}`
  if (Math.max(width, height) > limits.imagePixels) {
    return refuse(`of ${pixels} pixels, above ${limitTexts.imagePixels}: ${shrink}`)
  }
  return result(`${shown}: ${mimeType}, ${pixels}, ${bytes.length} bytes`, { type: 'image', mimeType, data })
}

const shrink = `make a smaller one through bash (convert -resize '${limitTexts.imagePixels}>'), and read that`

function result(text: string, block: ContentBlock): ToolResult {
  return { content: [{ type: 'text', text }, block], isError: false }
}
