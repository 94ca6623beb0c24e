const plain = /^[\0-\x7f]*$/

/**
 * Folds a path as the most lenient file systems compare names: folds case (`ſ` and the Kelvin sign become ASCII letters) and
 * Unicode form, and drops invisible characters, which HFS+ ignores.
 */
export function foldCase(path: string): string {
  if (plain.test(path)) return path.toLowerCase()
  return path
    .replace(/\p{DI}/gu, '')
    .normalize('NFC')
    .toUpperCase()
    .toLowerCase()
}
