import { columnsOf, isEven } from './columns.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: styles are control sequences
const styles = /\u001b\[[\d;]*m/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const parts = /\u001b\[[\d;]*m| {2,}|\u2502|(?:(?! {2})[^\u2502\u001b])+/g

/** Returns a painted row without its styles. */
export function plainRow(row: string): string {
  return row.includes('\u001b') ? row.replace(styles, '') : row
}

/**
 * Returns a painted row with the bytes that keep its columns: behind text that terminals measure differently, each bar and what follows
 * a gap of two spaces is moved to its column. Any other row stays as it is.
 */
export function inColumns(row: string): string {
  if (isEven(plainRow(row))) return row
  let moved = ''
  let columns = 0
  let isUneven = false
  let isGap = false
  for (const [part] of row.matchAll(parts)) {
    if (part.startsWith('\u001b')) {
      moved += part
      continue
    }
    const isBlank = part.startsWith('  ')
    if (isUneven && (part === '│' || (isGap && !isBlank))) moved += `\u001b[${columns + 1}G`
    moved += part
    columns += columnsOf(part)
    isUneven ||= !isEven(part)
    isGap = isBlank
  }
  return moved
}
