import { printable } from '../../terminal/printable.ts'
import { columnsOf, fitting, rowEnd, skipSpaces } from './columns.ts'
import type { Color, Theme, Tint } from './theme.ts'

export interface Style {
  readonly color?: Color
  readonly tint?: Tint
  /** The colour instead in a theme that does not tint changed rows. */
  readonly untinted?: Color
  readonly bold?: boolean
  readonly italic?: boolean
  readonly underline?: boolean
  readonly strike?: boolean
  readonly inverse?: boolean
  /** Parameters of an SGR sequence that a program of the user wrote: digits and semicolons. They stand instead of a colour. */
  readonly sgr?: string
  /** Whether the user writes here. */
  readonly isCursor?: boolean
}

/** A part of a line, from the index `start` to before `end`. */
export interface Part {
  readonly start: number
  readonly end: number
}

/** Text of one style, without line breaks, tabs and control characters. */
export interface Span {
  readonly text: string
  readonly style?: Style
}

/** One row of the screen, or a paragraph that `wrap` breaks into rows. */
export type Line = readonly Span[]

/** Creates a span: the one filter that all text of the screen passes. Replaces each tab by 4 spaces. */
export function span(text: string, style?: Style): Span {
  const clean = printable(text)
  const plain = clean.includes('\t') ? clean.replaceAll('\t', '    ') : clean
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

/** Splits a line at the line breaks in its spans. */
export function breakLines(spans: Line): Line[] {
  const rows: Span[][] = [[]]
  for (const { text, style } of spans) {
    for (const [i, part] of text.split('\n').entries()) {
      if (i > 0) rows.push([])
      if (part !== '') rows.at(-1)?.push(style === undefined ? { text: part } : { text: part, style })
    }
  }
  return rows
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
  const first = firstRowEnd(text, width)
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

/** Breaks inside a first word that is too long, which would leave nothing but its indent in its row. */
function firstRowEnd(text: string, width: number): number {
  const end = rowEnd(text, 0, width)
  return text.slice(0, end).trim() === '' ? fitting(text, 0, width) : end
}

/** Cuts a line to one row that ends in `…`; returns a line that fits as it is. */
export function cut(spans: Line, width: number): Line {
  const text = lineText(spans)
  if (fitting(text, 0, width) >= text.length) return spans
  return [...slicer(spans)(0, fitting(text, 0, Math.max(0, width - 1))), span('…', spans.at(-1)?.style)]
}

/** Returns a line without its first characters. */
export function withoutStart(spans: Line, count: number): Line {
  return slicer(spans)(count, Number.POSITIVE_INFINITY)
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

/** Fills a row with a tint up to `width` columns, and puts the tint behind its text where that has none. */
export function tinted(spans: Line, tint: Tint, width: number): Line {
  const left = width - columnsOfLine(spans)
  const row = spans.map(({ text, style }) => ({ text, style: { tint, ...style } }))
  return left > 0 ? [...row, span(' '.repeat(left), { tint })] : row
}

/** Adds a style to parts of a line, which must be in order. */
export function marked(spans: Line, parts: readonly Part[], style: Style): Line {
  if (parts.length === 0) return spans
  const take = slicer(spans)
  const row: Span[] = []
  let at = 0
  for (const { start, end } of parts) {
    row.push(
      ...take(at, start),
      ...take(start, end).map((one) => ({ ...one, style: { ...one.style, ...style } })),
    )
    at = end
  }
  return [...row, ...take(at, Number.POSITIVE_INFINITY)]
}

/** Converts a line to one row of text with the terminal codes of a theme. Control characters, which have no width, are left out. */
export function paint(spans: Line, theme: Theme): string {
  let painted = ''
  let before = ''
  for (const { text, style } of isFilled(spans, theme) ? spans.slice(0, -1) : spans) {
    if (text === '') continue
    const codes = style === undefined ? '' : codesOf(style, theme)
    painted += changeCodes(before, codes) + (control.test(text) ? text.replace(controls, '') : text)
    before = codes
  }
  return painted + changeCodes(before, '')
}

const control = /\p{Cc}/u
const controls = /\p{Cc}/gu
const reset = '\u001b[0m'
/** A colour of text, which another one replaces without a reset. */
const onlyColor = /^3(?:\d|8;5;\d+)$/

function changeCodes(before: string, after: string): string {
  if (before === after) return ''
  if (after === '') return reset
  const isReplaced = before === '' || (onlyColor.test(before) && onlyColor.test(after))
  return `${isReplaced ? '' : reset}\u001b[${after}m`
}

/** Whether a row ends in the spaces of a tint that the theme does not have. */
function isFilled(spans: Line, { tints }: Theme): boolean {
  const { text = '', style } = spans.at(-1) ?? {}
  return style?.tint !== undefined && tints[style.tint] === '' && text.trim() === ''
}

/** Returns the parameters of the SGR sequence for a style; empty for plain text. */
function codesOf(style: Style, { colors, tints, onTint, isUpright }: Theme): string {
  if (style.sgr !== undefined) return colors.accent === '' ? '' : style.sgr
  const { untinted } = style
  const color = untinted !== undefined && tints.added === '' ? untinted : style.color
  const tint = style.tint === undefined ? '' : tints[style.tint]
  return [
    style.bold && '1',
    style.italic && isUpright !== true && '3',
    style.underline && '4',
    style.inverse && '7',
    style.strike && '9',
    color === undefined ? tint !== '' && onTint : colors[color],
    tint,
  ]
    .filter(Boolean)
    .join(';')
}
