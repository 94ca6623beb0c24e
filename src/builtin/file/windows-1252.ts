/** What 0x80 to 0x9F say; the unassigned ones stand for themselves, so that no byte is lost. */
const high = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const beyondLatin1 = /[\u0080-\u009f\u0100-\u{10ffff}]/gu

/**
 * Windows-1252 over the characters of Latin-1, one for each byte. By hand, because the `TextDecoder` of Node 20 takes the one for
 * the other.
 */
export const windows1252 = {
  fromLatin1: (text: string): string =>
    text.replace(/[\u0080-\u009f]/g, (byte) => high.charAt(byte.charCodeAt(0) - 0x80)),

  /** For a text without a misfit. */
  toLatin1: (text: string): string =>
    text.replace(beyondLatin1, (character) => String.fromCharCode(0x80 + high.indexOf(character))),

  /** The first character that it cannot say. */
  misfit: (text: string): string | undefined =>
    text.match(beyondLatin1)?.find((character) => !high.includes(character)),
} as const
