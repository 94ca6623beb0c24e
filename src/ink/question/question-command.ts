import type { Danger, Interaction } from '../../interaction.ts'
import { columnsOf } from '../rows/columns.ts'
import { type Line, line, type Span, span, wrap } from '../rows/line.ts'

/** Columns before a command. */
const margin = '   '

/** Draws a whole command. Marks its dangerous parts with a colour, and with carets in a row below. */
export function drawCommand(
  command: string,
  dangers: Interaction['display']['dangers'],
  columns: number,
): Line[] {
  const isMarked = markedBy(dangers ?? [])
  let at = 0
  return command.split('\n').flatMap((text) => {
    const spans = spansOf(text, at, isMarked)
    at += text.length + 1
    return wrap([span(margin), ...spans], columns, 5).flatMap(withCarets)
  })
}

/** Returns the end of the part with the same mark that begins at an offset, and whether it is dangerous. */
type Marks = (offset: number) => { readonly end: number; readonly isMarked: boolean }

function markedBy(dangers: readonly Danger[]): Marks {
  const ranges = dangers.flatMap(({ start, end }) =>
    start === undefined || end === undefined || end <= start ? [] : [{ start, end }],
  )
  const edges = [...new Set(ranges.flatMap(({ start, end }) => [start, end]))].toSorted((a, b) => a - b)
  const isMarkedAt = (offset: number) => ranges.some(({ start, end }) => offset >= start && offset < end)
  return (offset) => {
    const isMarked = isMarkedAt(offset)
    const end = edges.find((edge) => edge > offset && isMarkedAt(edge) !== isMarked)
    return { end: end ?? Number.POSITIVE_INFINITY, isMarked }
  }
}

function spansOf(text: string, from: number, marks: Marks): Span[] {
  const spans: Span[] = []
  for (let i = 0; i < text.length; ) {
    const { end, isMarked } = marks(from + i)
    const next = Math.min(text.length, end - from)
    spans.push(isMarked ? span(text.slice(i, next), { color: 'bad' }) : span(text.slice(i, next)))
    i = next
  }
  return spans
}

function withCarets(row: Line): Line[] {
  if (!row.some(({ style }) => style?.color === 'bad')) return [row]
  const carets = row.map(({ text, style }) => {
    const isMarked = style?.color === 'bad'
    const width = columnsOf(isMarked ? text.trimEnd() : text)
    return (isMarked ? '^' : ' ').repeat(width).padEnd(columnsOf(text))
  })
  return [row, line(carets.join('').trimEnd(), { color: 'bad' })]
}
