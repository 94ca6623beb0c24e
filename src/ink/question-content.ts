import type { Interaction } from '../interaction.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import { tableText } from '../text/table.ts'
import { drawWholeDiff } from './diff.ts'
import { type Line, line, lines, span, wrap } from './line.ts'

export type DrawContent = (columns: number) => readonly Line[]

/** Draws the whole content of a question. Caches the rows of the last width: wrapping a long text takes longer than a frame. */
export function contentDrawer(display: Interaction['display']): DrawContent {
  let last: { readonly columns: number; readonly drawn: readonly Line[] } | undefined
  return (columns) => {
    if (last?.columns !== columns) last = { columns, drawn: drawContent(display, columns) }
    return last.drawn
  }
}

/** Draws the content as a diff, a table or a value. */
function drawContent({ content, contentKind }: Interaction['display'], columns: number): Line[] {
  if (content === undefined) return []
  if (contentKind === 'diff' && typeof content === 'string') return drawWholeDiff(content, columns)
  const value = contentKind === 'table' ? tableText(content) : content
  return drawValue(value, '  ').flatMap((one) => wrap(one, columns, 4))
}

/** Draws a whole value: text as it is, lists and objects field by field. */
function drawValue(value: JsonValue, margin: string): Line[] {
  if (typeof value === 'string') return lines(value).map((one) => [span(margin), ...one])
  if (Array.isArray(value)) {
    return value.flatMap((one: JsonValue, i) => drawField(String(i + 1), one, margin))
  }
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, one]) => drawField(name, one, margin))
  return [line(margin + JSON.stringify(value))]
}

function drawField(name: string, value: JsonValue, margin: string): Line[] {
  const label = span(`${margin}${name}: `, { dim: true })
  const isShort =
    typeof value === 'string' ? !value.includes('\n') : typeof value !== 'object' || value === null
  if (isShort) return [[label, span(typeof value === 'string' ? value : JSON.stringify(value))]]
  return [[label], ...drawValue(value, `${margin}  `)]
}
