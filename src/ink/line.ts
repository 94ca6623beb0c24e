import stringWidth from 'string-width'

export type Color = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'gray'

export interface Style {
  readonly color?: Color
  readonly bold?: boolean
  readonly dim?: boolean
  readonly italic?: boolean
  readonly underline?: boolean
  readonly strike?: boolean
  readonly inverse?: boolean
}

/** Text of one look. Holds no line break, no tab and no control character. */
export interface Span {
  readonly text: string
  readonly style?: Style
}

/** One row of the screen, or a paragraph that `wrap` makes rows of. */
export type Line = readonly Span[]

/** A span with its tabs as spaces. */
export function span(text: string, style?: Style): Span {
  const plain = text.includes('\t') ? text.replaceAll('\t', '    ') : text
  return style === undefined ? { text: plain } : { text: plain, style }
}

/** A line of one look. */
export function line(text: string, style?: Style): Line {
  return [span(text, style)]
}

/** A line for each line of the text. */
export function lines(text: string, style?: Style): Line[] {
  return text.split('\n').map((one) => line(one, style))
}

/** Columns that a text takes, as the terminal counts them. */
export function columnsOf(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text)
}

/** What a line says, without its looks. */
export function lineText(spans: Line): string {
  return spans.map(({ text }) => text).join('')
}

export function columnsOfLine(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + columnsOf(text), 0)
}

interface Cell extends Span {
  readonly columns: number
}

/**
 * The rows that a line takes at this width: broken at spaces, and inside a word only where it is longer than a row. Rows after the
 * first begin with `hang` spaces.
 */
export function wrap(spans: Line, width: number, hang = 0): Line[] {
  if (columnsOfLine(spans) <= width) return [spans]
  const indent = hang < width / 2 ? hang : 0
  const cells = spans.flatMap(toCells)
  const rows: Line[] = []
  for (let start = 0; start < cells.length; ) {
    const end = rowEnd(cells, start, rows.length === 0 ? width : width - indent)
    const row = joinCells(cells.slice(start, end))
    rows.push(rows.length === 0 || indent === 0 ? row : [span(' '.repeat(indent)), ...row])
    start = end
    while (cells[start]?.text === ' ') start++
  }
  return rows
}

/** One row: the line where it fits, else its beginning and `…`. */
export function cut(spans: Line, width: number): Line {
  if (columnsOfLine(spans) <= width) return spans
  const cells = spans.flatMap(toCells)
  return [
    ...joinCells(cells.slice(0, fitting(cells, 0, Math.max(0, width - 1)))),
    span('…', spans.at(-1)?.style),
  ]
}

/** The index after the last cell of the row that begins at `start`; at least one cell is taken. */
function rowEnd(cells: readonly Cell[], start: number, width: number): number {
  const end = Math.max(start + 1, fitting(cells, start, width))
  if (end >= cells.length || cells[end]?.text === ' ') return end
  for (let i = end; i > start + 1; i--) if (cells[i - 1]?.text === ' ') return i
  return end
}

function fitting(cells: readonly Cell[], start: number, width: number): number {
  let used = 0
  let end = start
  for (let cell = cells[end]; cell !== undefined; cell = cells[end]) {
    used += cell.columns
    if (used > width) break
    end++
  }
  return end
}

function toCells({ text, style }: Span): Cell[] {
  return graphemes(text).map((part) => ({ text: part, columns: columnsOf(part), ...(style && { style }) }))
}

/** What a person sees as one character each. */
export function graphemes(text: string): readonly string[] {
  if (/^[\x20-\x7e]*$/.test(text)) return text.split('')
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
}

function joinCells(cells: readonly Cell[]): Line {
  const joined: { text: string; style?: Style }[] = []
  for (const { text, style } of cells) {
    const last = joined.at(-1)
    if (last !== undefined && last.style === style) last.text += text
    else joined.push(style === undefined ? { text } : { text, style })
  }
  return joined
}

const colorCodes: Readonly<Record<Color, number>> = {
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
  gray: 90,
}

/** A line as bytes for the terminal, in the colours of its own palette. */
export function paint(spans: Line, colors: boolean): string {
  return spans
    .map(({ text, style }) => (style === undefined ? text : paintSpan(text, style, colors)))
    .join('')
}

function paintSpan(text: string, style: Style, colors: boolean): string {
  const codes = [
    style.bold && 1,
    style.dim && 2,
    style.italic && 3,
    style.underline && 4,
    style.inverse && 7,
    style.strike && 9,
    colors && style.color && colorCodes[style.color],
  ].filter((code) => typeof code === 'number')
  return codes.length === 0 || text === '' ? text : `\u001b[${codes.join(';')}m${text}\u001b[0m`
}
