import { unmarkedUtf16 } from '../../characters/utf16.ts'
import { decodeLegacy, encodeLegacy, type LegacyEncoding, misfitOf } from './legacy.ts'
import { windows1252 } from './windows-1252.ts'

/** Latin-1 is Windows-1252 without characters between 0x80 and 0x9F. */
export type Encoding = Unicode | 'Latin-1' | 'Windows-1252' | LegacyEncoding
type Unicode = 'UTF-8' | 'UTF-16LE' | 'UTF-16BE'

export interface DecodedText {
  readonly encoding: Encoding
  /** Includes a byte order mark, so that `encodeText` returns the same bytes. */
  readonly text: string
}

export const byteOrderMark = '\ufeff'

const sniffed = 8_192

/** Whether the first bytes contain a NUL, which is how git and ripgrep detect binary files. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, sniffed).includes(0)
}

/**
 * The exact text of a file. `undefined` if it is binary or damaged UTF-8. Detects UTF-16 by its byte order mark or the position of its
 * NULs. Guesses the encoding of other text without NULs: by what it spells, else Latin-1 or Windows-1252.
 */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const utf16 = markedUtf16(bytes) ?? unmarkedUtf16(bytes)
  if (utf16 !== undefined) {
    const decoded = decodeUnicode(bytes, utf16)
    return decoded !== undefined && readsLikeText(decoded.text) ? decoded : undefined
  }
  if (isBinary(bytes)) return undefined
  return decodeUnicode(bytes, 'UTF-8') ?? (isDamagedUtf8(bytes) ? undefined : decodeGuessed(bytes))
}

/** Whether an encoding was guessed by what its bytes spell, so that a text in it may be wrong. */
export function isGuessed(encoding: Encoding): boolean {
  return !/^(UTF-|Latin-1$|Windows-1252$)/.test(encoding)
}

/** Decodes text that is mostly UTF-8, with U+FFFD for damaged parts. `undefined` if it is binary. */
export function decodeDamaged(bytes: Uint8Array): string | undefined {
  if (isBinary(bytes)) return undefined
  const text = new TextDecoder().decode(bytes)
  return readsLikeText(text) ? text : undefined
}

/** The first character of a text that its encoding lacks. */
export function misfit({ encoding, text }: DecodedText): string | undefined {
  switch (encoding) {
    case 'UTF-8':
    case 'UTF-16LE':
    case 'UTF-16BE':
      return /\p{Surrogate}/u.exec(text)?.[0]
    case 'Latin-1':
      return /[\u0100-\u{10ffff}]/u.exec(text)?.[0]
    case 'Windows-1252':
      return windows1252.misfit(text)
    default:
      return misfitOf(encoding, text)
  }
}

/** The bytes of a text. It must not contain a misfit. */
export function encodeText({ encoding, text }: DecodedText): Uint8Array {
  switch (encoding) {
    case 'UTF-8':
      return Buffer.from(text)
    case 'UTF-16LE':
      return Buffer.from(text, 'utf16le')
    case 'UTF-16BE':
      return Buffer.from(text, 'utf16le').swap16()
    case 'Latin-1':
      return Buffer.from(text, 'latin1')
    case 'Windows-1252':
      return Buffer.from(windows1252.toLatin1(text), 'latin1')
    default:
      return encodeLegacy(encoding, text)
  }
}

function decodeUnicode(bytes: Uint8Array, encoding: Unicode): DecodedText | undefined {
  try {
    return { encoding, text: new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return undefined
  }
}

function decodeGuessed(bytes: Uint8Array): DecodedText | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  if (!readsLikeText(text)) return undefined
  const legacy = decodeLegacy(bytes)
  if (legacy !== undefined) return legacy
  if (!/[\u0080-\u009f]/.test(text)) return { encoding: 'Latin-1', text }
  return { encoding: 'Windows-1252', text: windows1252.fromLatin1(text) }
}

/** Whether most characters beyond ASCII are valid UTF-8: no other encoding looks like that. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const beyondAscii = new TextDecoder().decode(bytes).match(/[\u0080-\u{10ffff}]/gu) ?? []
  const broken = beyondAscii.filter((character) => character === '\ufffd').length
  return beyondAscii.length - broken > broken
}

function markedUtf16([first, second, third, fourth]: Uint8Array): Unicode | undefined {
  const isUtf32 = third === 0 && fourth === 0
  if (first === 0xff && second === 0xfe) return isUtf32 ? undefined : 'UTF-16LE'
  return first === 0xfe && second === 0xff ? 'UTF-16BE' : undefined
}

/** Whether at most one character in fifty is a control character. */
function readsLikeText(text: string): boolean {
  const sample = text.slice(0, sniffed)
  let controls = 0
  for (let at = 0; at < sample.length; at++) {
    const code = sample.charCodeAt(at)
    if (code < 0x20 && !(code >= 0x09 && code <= 0x0d) && code !== 0x1b) controls++
  }
  return controls * 50 <= sample.length
}
