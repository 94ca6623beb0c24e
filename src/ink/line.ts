import { columnsOf, fitting, rowEnd, skipSpaces } from './columns.ts'

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

/** What a line says, without its looks. */
export function lineText(spans: Line): string {
  return spans.map(({ text }) => text).join('')
}

/** Columns that a line takes. */
export function columnsOfLine(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + columnsOf(text), 0)
}

/**
 * The rows that a line takes at this width: broken at spaces, and inside a word only where it is longer than a row. Rows after the
 * first begin with `hang` spaces.
 */
export function wrap(spans: Line, width: number, hang = 0): Line[] {
  const text = lineText(spans)
  const first = rowEnd(text, 0, width)
  if (first >= text.length) return [spans]
  const indent = hang < width / 2 ? hang : 0
  const take = slicer(spans)
  const rows: Line[] = [take(0, first)]
  for (let start = skipSpaces(text, first); start < text.length; ) {
    const end = rowEnd(text, start, width - indent)
    const row = take(start, end)
    rows.push(indent === 0 ? row : [span(' '.repeat(indent)), ...row])
    start = skipSpaces(text, end)
  }
  return rows
}

/** One row: the line where it fits, else its beginning and `…`. */
export function cut(spans: Line, width: number): Line {
  const text = lineText(spans)
  if (fitting(text, 0, width) >= text.length) return spans
  return [...slicer(spans)(0, fitting(text, 0, Math.max(0, width - 1))), span('…', spans.at(-1)?.style)]
}

/** Takes parts out of a line by the indexes of its text, each part after the one before. */
function slicer(spans: Line): (start: number, end: number) => Line {
  let index = 0
  let offset = 0
  return (start, end) => {
    const parts: Span[] = []
    for (let one = spans[index]; one !== undefined && offset < end; one = spans[index]) {
      const next = offset + one.text.length
      const text = one.text.slice(Math.max(0, start - offset), end - offset)
      if (text !== '') parts.push({ ...one, text })
      if (next > end) break
      offset = next
      index++
    }
    return parts
  }
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
