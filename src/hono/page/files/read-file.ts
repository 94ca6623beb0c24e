import { formatBytes } from '../../../frontend/words/amount.ts'
import { isImageType } from '../../../media/image-type.ts'
import { maxImagePixels, maxMediaBytes, maxTextBytes } from '../../../media/media-limits.ts'
import type { PageFile } from './page-file.ts'

/** Longest side of the small picture, in pixels: sharp at 48 on a phone. */
const pictureSide = 144

/** Share of the quality that JPEG keeps. */
const quality = 0.85

/** Bytes that tell a text from other data. */
const headBytes = 8_192

/** Reads a file as it is sent. Makes an image smaller where it is too large. Throws an `Error` in words for the user. */
export async function readSentFile(file: File, window: Window & typeof globalThis): Promise<PageFile> {
  if (file.type.startsWith('image/') && file.type !== 'image/svg+xml') return readImage(file, window)
  const { name, size } = file
  if (file.type === 'application/pdf') {
    requireSize(file, maxMediaBytes, 'a PDF')
    return { name, size, data: await base64(file, window) }
  }
  requireSize(file, maxTextBytes, 'a text file')
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  if (head.includes(0)) throw new Error(`${name} is not text, an image or a PDF.`)
  return { name, size, data: await base64(file, window) }
}

function requireSize({ name, size }: File, most: number, kind: string): void {
  if (size === 0) throw new Error(`${name} is empty.`)
  if (size > most)
    throw new Error(`${name} has ${formatBytes(size)}; ${kind} can have at most ${formatBytes(most)}.`)
}

async function readImage(file: File, window: Window & typeof globalThis): Promise<PageFile> {
  const image = await window.createImageBitmap(file).catch(() => undefined)
  if (image === undefined) throw new Error(`This browser cannot open the image ${file.name}.`)
  try {
    const picture = draw(image, pictureSide, window).toDataURL('image/jpeg', quality)
    const isFit = Math.max(image.width, image.height) <= maxImagePixels && file.size <= maxMediaBytes
    if (isFit && isImageType(file.type))
      return { name: file.name, size: file.size, data: await base64(file, window), picture }
    const small = await toJpeg(draw(image, maxImagePixels, window))
    const name = `${file.name.replace(/\.\w+$/, '')}.jpg`
    return { name, size: small.size, data: await base64(small, window), picture }
  } finally {
    image.close()
  }
}

function draw(image: ImageBitmap, side: number, { document }: Window): HTMLCanvasElement {
  const scale = Math.min(1, side / Math.max(image.width, image.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  const context = canvas.getContext('2d')
  if (context !== null) {
    // JPEG has no transparency.
    context.fillStyle = '#ffffff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
  }
  return canvas
}

function toJpeg(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const done = (blob: Blob | null) =>
      blob === null ? reject(new Error('The image could not be made smaller.')) : resolve(blob)
    canvas.toBlob(done, 'image/jpeg', quality)
  })
}

function base64(blob: Blob, window: Window & typeof globalThis): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new window.FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () => reject(new Error('The file cannot be read.')))
    reader.readAsDataURL(blob)
  })
}
