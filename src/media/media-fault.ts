import { imageSize } from './image-size.ts'

/**
 * Returns why no server takes an image or a document, as a clause: it is cut off or damaged. `undefined` if it looks whole: pixels are
 * not decoded. `mimeType` is the type that the first bytes tell.
 */
export function mediaFault(mimeType: string, bytes: Uint8Array): string | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (mimeType === 'application/pdf') return isWholePdf(view) ? undefined : 'the PDF is cut off or damaged'
  if (imageSize(mimeType, bytes) === undefined) return 'the image is damaged'
  return reads(() => wholeImages[mimeType]?.(view) ?? true) ? undefined : 'the image is cut off or damaged'
}

/** Whether a reader finds what it looks for. Reads beyond the end throw a `RangeError`. */
function reads(look: () => boolean): boolean {
  try {
    return look()
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

const wholeImages: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  'image/png': isWholePng,
  'image/jpeg': isWholeJpeg,
  'image/gif': hasGifFrame,
  'image/webp': (bytes) => bytes.readUInt32LE(4) + 8 <= bytes.length,
}

/** Follows the chunks to the last one. */
function isWholePng(bytes: Buffer): boolean {
  for (let at = 8, hasPixels = false; ; ) {
    const length = bytes.readUInt32BE(at)
    const end = at + 8 + length
    const type = bytes.toString('latin1', at + 4, at + 8)
    // Each chunk ends with a sum.
    bytes.readUInt32BE(end)
    if (type === 'IEND') return hasPixels
    hasPixels ||= type === 'IDAT'
    at = end + 4
  }
}

/** Looks for the end behind the first scan: a thumbnail before it has an end of its own. */
function isWholeJpeg(bytes: Buffer): boolean {
  let at = 2
  while (bytes.readUInt8(at + 1) !== 0xda) {
    if (bytes.readUInt8(at) !== 0xff) return false
    at += bytes.readUInt8(at + 1) === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return bytes.includes(Buffer.from([0xff, 0xd9]), at)
}

/** Looks for one whole frame. Many files lack the end, and programs show them. */
function hasGifFrame(bytes: Buffer): boolean {
  let at = 13 + colors(bytes.readUInt8(10))
  for (;;) {
    const kind = bytes.readUInt8(at)
    if (kind !== 0x21 && kind !== 0x2c) return false
    // An extension has a label; a frame has its place, its colors, and the size of its codes.
    const head = kind === 0x21 ? 2 : 11 + colors(bytes.readUInt8(at + 9))
    at = skipParts(bytes, at + head)
    if (kind === 0x2c) return true
  }
}

/** Bytes of the table of colors that a field of flags announces. */
function colors(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** Skips a chain of parts, each behind its length, to the empty one at its end. */
function skipParts(bytes: Buffer, start: number): number {
  let at = start
  while (bytes.readUInt8(at) !== 0) at += 1 + bytes.readUInt8(at)
  return at + 1
}

/** Bytes before the end of a PDF among which its mark must be. Some programs add data behind it. */
const pdfTail = 65_536

/** Looks for an object and for the mark at the end, without which readers have to guess. */
function isWholePdf(bytes: Buffer): boolean {
  return / obj\b/.test(bytes.toString('latin1')) && bytes.subarray(-pdfTail).includes('%%EOF')
}
