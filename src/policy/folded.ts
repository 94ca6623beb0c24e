const plain = /^[\0-\x7f]*$/

/**
 * A path as the most forgiving file system compares it: in no case (`ſ` and the Kelvin sign are letters of ASCII there), in one form
 * of Unicode, and without characters that are not seen, which HFS+ passes over.
 */
export function folded(path: string): string {
  if (plain.test(path)) return path.toLowerCase()
  return path
    .replace(/\p{DI}/gu, '')
    .normalize('NFC')
    .toUpperCase()
    .toLowerCase()
}
