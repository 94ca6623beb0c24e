import type { Interaction } from '../interaction.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import { tableText } from '../table.ts'
import { drawWholeDiff } from './diff.ts'
import { type Line, line, lines, span, wrap } from './line.ts'

export type DrawContent = (columns: number) => readonly Line[]

/** Draws all that a question is about. Remembers the last width: to wrap a long text takes longer than a frame may. */
export function contentDrawer(display: Interaction['display']): DrawContent {
  let last: { readonly columns: number; readonly drawn: readonly Line[] } | undefined
  return (columns) => {
    if (last?.columns !== columns) last = { columns, drawn: drawContent(display, columns) }
    return last.drawn
  }
}

/** Draws the content in the form that suits it. */
function drawContent({ content, contentKind }: Interaction['display'], columns: number): Line[] {
  if (content === undefined) return []
  if (contentKind === 'diff' && typeof content === 'string') return drawWholeDiff(content, columns)
  const value = contentKind === 'table' ? tableText(content) : content
  return drawValue(value, '  ').flatMap((one) => wrap(one, columns, 4))
}

/** Draws all of a value: text as it is, everything else by its names. */
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
