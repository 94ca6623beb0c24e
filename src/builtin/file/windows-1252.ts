/** The characters 0x80 to 0x9F. Unassigned bytes stand for themselves, so that none is lost. */
const high = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const beyondLatin1 = /[\u0080-\u009f\u0100-\u{10ffff}]/gu

/**
 * Converts between Windows-1252 and Latin-1 text, character by character. Written by hand, because the `TextDecoder` of Node 20
 * decodes one as the other.
 */
export const windows1252 = {
  fromLatin1: (text: string): string =>
    text.replace(/[\u0080-\u009f]/g, (byte) => high.charAt(byte.charCodeAt(0) - 0x80)),

  /** The text must not contain a misfit. */
  toLatin1: (text: string): string =>
    text.replace(beyondLatin1, (character) => String.fromCharCode(0x80 + high.indexOf(character))),

  /** The first character that Windows-1252 lacks. */
  misfit: (text: string): string | undefined =>
    text.match(beyondLatin1)?.find((character) => !high.includes(character)),
} as const
