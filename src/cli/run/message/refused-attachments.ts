import { limits, limitTexts } from '../../../builtin/tool-limits.ts'
import { imageSize } from '../../../media/image-size.ts'
import { mediaFault } from '../../../media/media-fault.ts'

/** Returns why models refuse an image or a document, as a clause: it is damaged, or has too many pixels. */
export function refusedFault(mimeType: string, bytes: Uint8Array): string | undefined {
  return mediaFault(mimeType, bytes) ?? pixelFault(mimeType, bytes)
}

function pixelFault(mimeType: string, bytes: Uint8Array): string | undefined {
  const { width, height } = imageSize(mimeType, bytes) ?? { width: 0, height: 0 }
  if (Math.max(width, height) <= limits.imagePixels) return undefined
  return `it has ${width}x${height} pixels, and models take at most ${limitTexts.imagePixels}`
}
