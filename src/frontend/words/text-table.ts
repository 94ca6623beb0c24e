import { isJsonObject, type JsonValue } from '../../json-value.ts'

/**
 * Formats a table as text with aligned columns. Rows are lists of cells, or objects whose keys name the columns. Returns other
 * values as JSON.
 */
export function tableText(content: JsonValue): string {
  const rows = readRows(content)
  if (rows === undefined) return JSON.stringify(content)
  return alignedRows(rows, (cell, width) => cell.padEnd(width))
}

/** Joins rows of cells to lines, with two blanks between columns. `pad` makes a cell as wide as its column. */
export function alignedRows(
  rows: readonly (readonly string[])[],
  pad: (cell: string, width: number, column: number) => string,
): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length)
  return rows
    .map((row) =>
      row
        .map((cell, i) => pad(cell, widths[i] ?? 0, i))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function readRows(content: JsonValue): readonly (readonly string[])[] | undefined {
  if (!isList(content)) return undefined
  if (content.every(isList)) return content.map((row) => row.map(cellText))
  if (!content.every(isJsonObject)) return undefined
  const names = [...new Set(content.flatMap((row) => Object.keys(row)))]
  return [names, ...content.map((row) => names.map((name) => cellText(row[name])))]
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** Keeps a cell on one line, so that it cannot look like a row. */
function cellText(value: JsonValue | undefined): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  return text.replaceAll('\n', '⏎')
}
