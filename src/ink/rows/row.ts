import { columnsOfLine, cut, type Line, type Span, type Style, span } from './line.ts'

/** Columns that prose, calls and notes are indented by. */
export const indent = 2
/** Columns of a name before its target. */
const nameWidth = 7
/** Columns of a mark or a name that rows below a call are indented by. */
export const bodyIndent = indent + 2 + nameWidth + 1
/** Windows narrower than this indent the rows below a call less. */
const narrow = 60
/** Columns of a time, so that times below each other end together. */
const timeWidth = 7
/** Columns that the target has before facts are left out for it. */
const leastTarget = 16
/** Rows are not wider than this: facts far away at the right belong to no row. */
export const widestRow = 120

/** A row about a call or an elf: a mark, a name, a target, and facts at the right. */
export interface Row {
  readonly mark: Span
  readonly name: Span
  readonly target: Line
  /** Facts, the most important first. */
  readonly facts?: readonly string[]
  readonly time?: string
}

const fact: Style = { color: 'muted' }
const faint: Style = { color: 'faint' }

/** Returns the columns that prose may take in a window. */
export function proseWidth(columns: number): number {
  return Math.max(1, columns - indent)
}

/** Indents rows, except blank ones. */
export function indented(rows: readonly Line[], by = indent): Line[] {
  return rows.map((row) => (row.length === 0 ? row : [span(' '.repeat(by)), ...row]))
}

/** Returns the indent of the rows below a call. */
export function bodyMargin(columns: number): number {
  return columns < narrow ? indent + 2 : bodyIndent
}

/** Draws a row: mark, name and target at the left, facts and time at the right as far as they leave room. */
export function drawRow({ mark, name, target, facts = [], time }: Row, columns: number): Line {
  const width = Math.min(columns, widestRow)
  const pad = Math.max(0, nameWidth - columnsOfLine([name]))
  const head: Line = [
    span(' '.repeat(indent)),
    mark,
    span(' '),
    name,
    ...(target.length === 0 ? [] : [span(' '.repeat(pad + 1)), ...target]),
  ]
  return withRight(head, rightsOf(facts, time, width), width)
}

/** Puts the first right part that leaves room for the left one at the end of a row. */
export function withRight(left: Line, rights: readonly Line[], width: number): Line {
  const all = columnsOfLine(left)
  const fits = (right: Line) => Math.min(all, indent + 2 + leastTarget) + columnsOfLine(right) + 2 <= width
  const right = rights.find(fits)
  if (right === undefined || right.length === 0) return cut(left, width)
  const room = width - columnsOfLine(right) - 2
  const shown = cut(left, room)
  const gap = span(' '.repeat(Math.max(0, room - columnsOfLine(shown)) + 2))
  return [...shown, gap, ...right]
}

/** Lists the right parts of a row, the fullest first: facts and time, fewer facts, only the time, nothing. */
export function rightsOf(facts: readonly string[], time: string | undefined, width: number): readonly Line[] {
  const padded = time === undefined || width < narrow ? time : time.padStart(timeWidth)
  const counts = facts.map((_, i) => facts.length - i)
  return [
    ...counts.map((count) => rightOf(facts.slice(0, count).join(' · '), padded)),
    rightOf('', padded),
    [],
  ]
}

function rightOf(facts: string, time: string | undefined): Line {
  if (facts === '') return time === undefined ? [] : [span(time, faint)]
  return time === undefined ? [span(facts, fact)] : [span(`${facts}  `, fact), span(time, faint)]
}
