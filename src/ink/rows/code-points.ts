import stringWidth from 'string-width'

/** Marks that stand beside their letter, the vowels of Thai and Lao that do, and characters that only some terminals show. */
const spacing = /^[\p{Mc}\u0e33\u0eb3\xad\u0600-\u0605\u06dd\u070f\u08e2]$/u

/**
 * Marks since Unicode 5.1, with those from U+10000 to U+1EFFF. Terminals with an older table show them in a column of their own, such as
 * xterm.js as it comes.
 */
const young = new RegExp(
  String.raw`^[\u0487\u065f\u0816-\u0900\u0955-\u0957\u09fe\u0a51\u0a75\u0afa-\u0aff\u0b44\u0b55\u0b62\u0b63\u0c00\u0c04\u0c3c` +
    String.raw`\u0c62\u0c63\u0c81\u0d00\u0d01\u0d3b\u0d3c\u0d44\u0d62\u0d63\u0d81\u0eba\u0ece\u0f8d-\u0f8f\u1033-\u1035\u103a-\u109d` +
    String.raw`\u135d\u135e\u1885\u1886\u1a1b-\u1cf9\u1dcb-\u1dfd\u20f0\u2cef-\u2dff\ua66f-\uabff]$`,
  'u',
)
const unspaced = /^[\p{M}\p{Cf}\p{Cc}]$/u

/** The first wide character, a consonant of Hangul. */
const firstWide = 0x1100
const choseongFiller = 0x115f
/** Vowels and final consonants of Hangul, which join the syllable before them. */
const [firstJoining, lastJoining] = [0x1160, 0x11ff]

/** Returns the columns of a character on terminals that add up its code points, as most do. */
export function columnsByCodePoint(character: string): number {
  let columns = 0
  for (const one of character) columns += columnsOfCodePoint(one)
  return columns
}

function columnsOfCodePoint(one: string): number {
  const code = one.codePointAt(0) ?? 0
  if (code >= firstJoining && code <= lastJoining) return 0
  if (code === choseongFiller) return 2
  if (spacing.test(one)) return 1
  if (unspaced.test(one)) return young.test(one) || (code >= 0x10000 && code < 0x1f000) ? 1 : 0
  return code < firstWide ? 1 : stringWidth(one)
}

/** Returns the columns of a character on terminals that measure characters, or `columnsByCodePoint` if that is more. */
export function mostColumns(character: string): number {
  const columns = columnsByCodePoint(character)
  return isNarrow(character) ? columns : Math.max(columns, stringWidth(character))
}

/** Whether a character has no code point that is wide, or makes another one wide: then its code points add up to more. */
function isNarrow(character: string): boolean {
  for (let i = 0; i < character.length; i++) if (character.charCodeAt(i) >= firstWide) return false
  return true
}
