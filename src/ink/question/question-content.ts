import { tableText } from '../../frontend/words/text-table.ts'
import { dangerTexts, type Interaction } from '../../interaction.ts'
import { isJsonObject, type JsonValue, textField } from '../../json-value.ts'
import type { Syntax } from '../code/code-syntax.ts'
import { drawWholeDiff } from '../code/diff.ts'
import { type Line, line, lines, span, wrap } from '../rows/line.ts'
import { wrapTableRow } from '../rows/table-row.ts'
import { isPermission } from './choice.ts'
import { drawCommand } from './question-command.ts'

export type DrawContent = (columns: number, syntax?: Syntax) => readonly Line[]

/**
 * Draws all that a question is about but its dangers: its content and its description. Caches the rows of the last width: wrapping a
 * long text takes longer than a frame.
 */
export function contentDrawer(interaction: Interaction): DrawContent {
  let last:
    | { readonly columns: number; readonly syntax: Syntax | undefined; readonly drawn: readonly Line[] }
    | undefined
  return (columns, syntax = last?.syntax) => {
    if (last?.columns !== columns || last.syntax !== syntax) {
      last = { columns, syntax, drawn: drawAll(interaction, columns, syntax) }
    }
    return last.drawn
  }
}

/** For a permission the content comes first; elsewhere the description is a part of the question. */
function drawAll(interaction: Interaction, columns: number, syntax: Syntax | undefined): Line[] {
  const { display } = interaction
  const content = drawContent(display, columns, syntax)
  const described = drawDescription(display, columns)
  return isPermission(interaction) ? [...content, ...described] : [...described, ...content]
}

type Display = Interaction['display']

/** Draws the description of a question in grey. */
export function drawDescription({ description = '' }: Display, columns: number): Line[] {
  if (description === '') return []
  return lines(description, { color: 'muted' }).flatMap((one) => wrap([span('   '), ...one], columns, 3))
}

/** Draws the dangers, joined in as few rows as hold them. */
export function drawDangers(display: Display, columns: number): Line[] {
  const words = dangerTexts(display).join(' · ')
  if (words === '') return []
  return lines(words, { color: 'bad' }).flatMap((one) =>
    wrap([span('   ⚠ ', { color: 'bad', bold: true }), ...one], columns, 5),
  )
}

/** Draws the content as a diff, a table or a value. */
function drawContent(
  { content, contentKind, dangers }: Display,
  columns: number,
  syntax: Syntax | undefined,
): Line[] {
  if (content === undefined) return []
  if (contentKind === 'diff' && typeof content === 'string') return drawWholeDiff(content, columns, syntax)
  const command = textField(content, 'command')
  if (command !== undefined && isJsonObject(content)) {
    const { command: _, ...others } = content
    return [...drawCommand(command, dangers, columns), ...drawWrapped(others, columns)]
  }
  if (contentKind !== 'table') return drawWrapped(content, columns)
  return drawValue(tableText(content), '   ').flatMap((one) => wrapTableRow(one, columns, 5))
}

function drawWrapped(value: JsonValue, columns: number): Line[] {
  return drawValue(value, '   ').flatMap((one) => wrap(one, columns, 5))
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
  const label = span(`${margin}${name}: `, { color: 'muted' })
  const isShort =
    typeof value === 'string' ? !value.includes('\n') : typeof value !== 'object' || value === null
  if (isShort) return [[label, span(typeof value === 'string' ? value : JSON.stringify(value))]]
  return [[label], ...drawValue(value, `${margin}  `)]
}
