import { isJsonObject, type JsonValue } from './json-value.ts'

/**
 * A table as lines of text, its columns aligned: rows are lists of cells, or objects whose names head the columns. What is no table
 * is its JSON.
 */
export function tableText(content: JsonValue): string {
  const rows = readRows(content)
  if (rows === undefined) return JSON.stringify(content)
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(0, ...rows.map((row) => row[i]?.length ?? 0)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
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

/** On one line, so that no cell looks like a row. */
function cellText(value: JsonValue | undefined): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  return text.replaceAll('\n', '⏎')
}
