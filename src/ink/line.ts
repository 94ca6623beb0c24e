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

/** Text of one style, without line breaks, tabs and control characters. */
export interface Span {
  readonly text: string
  readonly style?: Style
}

/** One row of the screen, or a paragraph that `wrap` breaks into rows. */
export type Line = readonly Span[]

/** Creates a span; replaces each tab by 4 spaces. */
export function span(text: string, style?: Style): Span {
  const plain = text.includes('\t') ? text.replaceAll('\t', '    ') : text
  return style === undefined ? { text: plain } : { text: plain, style }
}

/** Creates a line of one style. */
export function line(text: string, style?: Style): Line {
  return [span(text, style)]
}

/** Splits a text into lines of one style. */
export function lines(text: string, style?: Style): Line[] {
  return text.split('\n').map((one) => line(one, style))
}

/** Returns the text of a line without styles. */
export function lineText(spans: Line): string {
  return spans.map(({ text }) => text).join('')
}

/** Returns the width of a line in columns. */
export function columnsOfLine(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + columnsOf(text), 0)
}

/**
 * Wraps a line into rows: breaks at spaces, and inside a word only if it is longer than a row. Rows after the first begin with
 * `hang` spaces, unless these take half of the width.
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

/** Cuts a line to one row that ends in `…`; returns a line that fits as it is. */
export function cut(spans: Line, width: number): Line {
  const text = lineText(spans)
  if (fitting(text, 0, width) >= text.length) return spans
  return [...slicer(spans)(0, fitting(text, 0, Math.max(0, width - 1))), span('…', spans.at(-1)?.style)]
}

/** Creates a function that returns parts of a line by text index. Each part must come after the one before. */
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

/** Converts a line to text with terminal escape codes, in the colours of the terminal's palette. */
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
