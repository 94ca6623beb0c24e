import { closeSync, openSync, readSync } from 'node:fs'
import { unmarkedUtf16 } from '../characters/utf16.ts'

/** The beginning of a text file. */
export interface TextStart {
  readonly text: string
  /** The size of the whole file in bytes. */
  readonly isWhole: boolean
}

/** Reads at most the first `limit` bytes of a file as UTF-8 or UTF-16. `undefined` for a binary file. Throws as the file system does. */
export function readTextStart(path: string, limit: number): TextStart | undefined {
  const { bytes, isWhole } = readStart(path, limit)
  // An even number, so that no unit of UTF-16 is cut.
  const encoding = markedUtf16(bytes) ?? unmarkedUtf16(bytes.subarray(0, bytes.length & ~1))
  if (encoding === undefined && bytes.includes(0)) return undefined
  return { text: new TextDecoder(encoding).decode(bytes, { stream: !isWhole }), isWhole }
}

function readStart(path: string, limit: number): { readonly bytes: Uint8Array; readonly isWhole: boolean } {
  const descriptor = openSync(path, 'r')
  try {
    const buffer = new Uint8Array(limit + 1)
    const read = readSync(descriptor, buffer)
    return { bytes: buffer.subarray(0, Math.min(read, limit)), isWhole: read <= limit }
  } finally {
    closeSync(descriptor)
  }
}

function markedUtf16([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

/** Cuts a text to at most this many bytes of UTF-8, but never inside a character. */
export function cutToBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text
  return new TextDecoder().decode(Buffer.from(text).subarray(0, limit), { stream: true })
}
