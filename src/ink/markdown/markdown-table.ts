import { breakLines, columnsOfLine, cut, type Line, type Span, type Style, span, wrap } from '../rows/line.ts'

/** The cells of a table. A cell may hold line breaks. */
export interface Table {
  readonly header: readonly Line[]
  readonly rows: readonly (readonly Line[])[]
  readonly align: readonly ('left' | 'center' | 'right' | null)[]
}

/** Columns of text from which a cell is worth a column of its own. */
const leastColumns = 6

const subtle: Style = { color: 'muted' }
const faint: Style = { color: 'faint' }
const bar = span(' │ ', subtle)

/** Measures each column: its longest cell, in columns of the terminal. */
export function measureTable({ header, rows }: Table): readonly number[] {
  return header.map((_, i) => Math.max(1, ...[header, ...rows].map((row) => widthOf(row[i] ?? []))))
}

function widthOf(cell: Line): number {
  return Math.max(...breakLines(cell).map(columnsOfLine))
}

/**
 * Draws a table whose columns have these measures; wraps the cells of a table that is too wide. Where a column would be too
 * narrow to read, lists each row as names and values. `isRest` omits the head, which was drawn further up.
 */
export function drawTable(
  table: Table,
  width: number,
  measures: readonly number[] = measureTable(table),
  isRest = false,
): Line[] {
  const widths = fitted(measures, width - 3 * (measures.length - 1))
  if (widths === undefined) return drawRecords(table, width, isRest)
  const { header, rows, align } = table
  const draw = (row: readonly Line[]) => drawRow(row, widths, align)
  const ruler = (style: Style): Line => [
    span(widths.map((columns) => '─'.repeat(columns)).join('─┼─'), style),
  ]
  // Rows of several lines run together without a rule between them.
  const isTight = widths.some((one, i) => one < (measures[i] ?? 0))
  const body = rows.flatMap((row, i) => [
    ...(isTight && (i > 0 || isRest) ? [ruler(faint)] : []),
    ...draw(row),
  ])
  return isRest ? body : [...draw(header.map(bold)), ruler(subtle), ...body]
}

function bold(cell: Line): Line {
  return cell.map((one) => ({ text: one.text, style: { ...one.style, bold: true } }))
}

/** Gives the columns their measures, and narrows the widest ones evenly to fit. `undefined` if one would be too narrow. */
function fitted(measures: readonly number[], room: number): readonly number[] | undefined {
  let [left, count] = [room, measures.length]
  for (const one of measures.toSorted((a, b) => a - b)) {
    const share = Math.floor(left / count)
    if (one > share) return share < leastColumns ? undefined : narrowed(measures, share, left - share * count)
    left -= one
    count--
  }
  return measures
}

/** Cuts the columns to `most`, the first `spare` of them to one more. */
function narrowed(measures: readonly number[], most: number, spare: number): readonly number[] {
  let extra = spare
  return measures.map((one) => (one <= most ? one : extra-- > 0 ? most + 1 : most))
}

function drawRow(row: readonly Line[], widths: readonly number[], align: Table['align']): Line[] {
  const cells = widths.map((columns, i) => wrapCell(row[i] ?? [], columns))
  const height = Math.max(...cells.map(({ length }) => length))
  return Array.from({ length: height }, (_, at) =>
    widths.flatMap((columns, i): Span[] => {
      const text = cells[i]?.[at] ?? []
      const [before, after] = padding(columns - columnsOfLine(text), align[i] ?? null)
      return [...(i === 0 ? [] : [bar]), before, ...text, after]
    }),
  )
}

function wrapCell(cell: Line, columns: number): Line[] {
  return breakLines(cell).flatMap((one) => wrap(one, columns).map((row) => cut(row, columns)))
}

/** Distributes the free columns of a cell to its two sides. */
function padding(columns: number, align: Table['align'][number]): readonly [Span, Span] {
  const room = Math.max(0, columns)
  const left = align === 'right' ? room : align === 'center' ? Math.floor(room / 2) : 0
  return [span(' '.repeat(left)), span(' '.repeat(room - left))]
}

function drawRecords({ header, rows }: Table, width: number, isRest: boolean): Line[] {
  return rows.flatMap((row, i) => [
    ...(i === 0 && !isRest ? [] : [[]]),
    ...header.flatMap((name, column) => {
      const [first = [], ...others] = breakLines(row[column] ?? [])
      const named = [...bold(breakLines(name).flat()), span(': ', subtle), ...first]
      return [...wrap(named, width, 2), ...others.flatMap((one) => wrap([span('  '), ...one], width, 2))]
    }),
  ])
}
