import { limits, limitTexts } from '../../builtin/limits.ts'
import { imageSize } from '../../builtin/read/image-size.ts'

/** Returns why models refuse an image, as a clause: it has too many pixels, or is damaged. */
export function imageFault(mimeType: string, bytes: Uint8Array): string | undefined {
  return imageSize(mimeType, bytes) === undefined ? 'the image is damaged' : pixelFault(mimeType, bytes)
}

/** Returns why models refuse an image whose size can be told, if it has too many pixels. */
export function pixelFault(mimeType: string, bytes: Uint8Array): string | undefined {
  const { width, height } = imageSize(mimeType, bytes) ?? { width: 0, height: 0 }
  if (Math.max(width, height) <= limits.imagePixels) return undefined
  return `it has ${width}x${height} pixels, and models take at most ${limitTexts.imagePixels}`
}
