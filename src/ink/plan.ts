import { isJsonObject, type JsonValue } from '../json-value.ts'
import { type Line, type Style, span, wrap } from './line.ts'

interface Look {
  readonly mark: string
  readonly style: Style
  readonly text?: Style
}

const pending: Look = { mark: '○', style: { dim: true } }
const looks: ReadonlyMap<JsonValue | undefined, Look> = new Map([
  ['done', { mark: '✓', style: { color: 'green' }, text: { dim: true } }],
  ['in_progress', { mark: '◐', style: { color: 'yellow' }, text: { bold: true } }],
])

/** Draws the items of a plan as a checklist, at least one row each. */
export function drawPlan(details: JsonValue | undefined, width: number): Line[] {
  const items = isJsonObject(details) ? details['todo'] : undefined
  return Array.isArray(items) ? items.flatMap((item: JsonValue) => drawItem(item, width)) : []
}

function drawItem(item: JsonValue, width: number): Line[] {
  if (!isJsonObject(item)) return []
  const { mark, style, text: look } = looks.get(item['status']) ?? pending
  const text = String(item['text']).replace(/\s+/g, ' ')
  return wrap([span(`  ${mark} `, style), span(text, look)], width, 4)
}
