import { isUtf8 } from 'node:buffer'

/** Number of bytes examined. */
const sniffed = 8_192
/** Minimum number of Latin letters. With fewer, the NULs may be chance. */
const fewestLetters = 3

/**
 * Detects UTF-16 without a byte order mark: at least every fourth unit is a Latin letter, digit or blank, with the NUL on one side.
 * Excludes 16-bit numbers, whose NULs are beside control characters, and 8-bit text separated by NULs.
 */
export function unmarkedUtf16(bytes: Uint8Array): 'UTF-16LE' | 'UTF-16BE' | undefined {
  if (bytes.length % 2 !== 0) return undefined
  const units = Math.min(bytes.length, sniffed) / 2
  const counts = { little: 0, big: 0, misplaced: 0, pair: 0, other: 0 }
  for (let unit = 0; unit < units; unit++) counts[kindOf(bytes[2 * unit] ?? 0, bytes[2 * unit + 1] ?? 0)]++
  const letters = Math.max(counts.little, counts.big)
  const misplaced = counts.misplaced + Math.min(counts.little, counts.big)
  if (letters < fewestLetters || letters * 4 < units || misplaced * 20 > letters) return undefined
  if (counts.pair * 10 > units && counts.pair * 2 > units - letters) return undefined
  if ((counts.pair + counts.other) * 4 > units && isUtf8(bytes.subarray(0, 2 * units))) return undefined
  return counts.little > counts.big ? 'UTF-16LE' : 'UTF-16BE'
}

/** Classifies two bytes: a Latin letter in either order, a misplaced NUL, two ASCII letters, or anything else. */
function kindOf(first: number, second: number): 'little' | 'big' | 'misplaced' | 'pair' | 'other' {
  if (second === 0) return isLatin(first) ? 'little' : 'misplaced'
  if (first === 0) return isLatin(second) ? 'big' : 'misplaced'
  return first < 0x7f && second < 0x7f && isLatin(first) && isLatin(second) ? 'pair' : 'other'
}

function isLatin(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d) || byte >= 0xa0
}
