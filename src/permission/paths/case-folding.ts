const plain = /^[\0-\x7f]*$/

/**
 * Folds a path the way the most lenient file systems compare names: case (`ſ` and the Kelvin sign become ASCII letters), Unicode
 * form, and invisible characters, which HFS+ ignores.
 */
export function foldCase(path: string): string {
  if (plain.test(path)) return path.toLowerCase()
  return path
    .replace(/\p{DI}/gu, '')
    .normalize('NFC')
    .toUpperCase()
    .toLowerCase()
}
