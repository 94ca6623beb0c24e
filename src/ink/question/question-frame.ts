import { columnsOf } from '../rows/columns.ts'
import { columnsOfLine, cut, type Line, span } from '../rows/line.ts'
import type { Size } from '../state.ts'

/** Rows of a question's area from which on a rule stands above it, and below it, too. */
const ruledFrom = 6
const framedFrom = 10

/** Whether a rule stands above the question and holds its title. */
export function isRuled({ rows }: Size): boolean {
  return rows >= ruledFrom
}

/** Whether a rule stands below the question, too, and says what keys do. */
export function isFramed({ rows }: Size): boolean {
  return rows >= framedFrom
}

const start = '━━ '

/** Columns for the text in a rule. */
export function ruleRoom(columns: number): number {
  return Math.max(1, columns - start.length - 3)
}

/** Draws a rule with a text near its start. */
export function drawRule(text: Line, columns: number): Line {
  if (columnsOfLine(text) === 0) return [span('━'.repeat(columns), rule)]
  const held = cut(text, ruleRoom(columns))
  const left = columns - start.length - columnsOfLine(held) - 1
  return [span(start, rule), ...held, span(` ${'━'.repeat(Math.max(0, left))}`, rule)]
}

/** Puts the longest form that has room at the end of a rule. */
export function withPosition(drawn: Line, forms: readonly string[], columns: number): Line {
  const dashes = drawn.at(-1)?.text ?? ''
  const form = forms.find((one) => columnsOf(one) + end.length + 2 <= dashes.trimStart().length)
  if (form === undefined) return drawn
  const left = columns - columnsOfLine(drawn.slice(0, -1)) - columnsOf(form) - end.length - 1
  const before = dashes.slice(0, left)
  return [...drawn.slice(0, -1), span(before, rule), span(` ${form}`, rule), span(end, rule)]
}

const end = ' ━━'

const rule = { color: 'warning' } as const
