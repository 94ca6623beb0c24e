import { columnsOf, graphemes } from './columns.ts'
import { type Line, type Span, span, wrap } from './line.ts'
import { type Prompt, shownText } from './prompt.ts'
import type { Size } from './state.ts'

/** Window height at which `drawPrompt` returns one row. */
export const rowsOfOne = 4

/** Draws the rows of a prompt around its cursor. */
export function drawPrompt(prompt: Prompt, { columns, rows }: Size, mark: string): Line[] {
  const { cursor } = prompt
  const text = shownText(prompt)
  const width = Math.max(1, columns - 1)
  const hang = columnsOf(mark)
  const before = text.slice(0, cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1)
  const lineNumber = before.split('\n').length - 1
  const drawn = text.split('\n').map((one, i): Line[] => {
    const lead = i === 0 ? span(mark, { color: 'cyan', bold: true }) : span(' '.repeat(hang))
    const body = i === lineNumber ? withCursor(one, cursor - before.length) : [span(one)]
    return wrap([lead, ...body], width, hang)
  })
  const all = drawn.flat()
  const height = Math.max(1, Math.floor(rows / 2) - 1)
  if (all.length <= height) return all
  const cursorRow = all.findIndex((row) => row.some(({ style }) => style?.inverse === true))
  const first = Math.max(0, Math.min(cursorRow - Math.floor(height / 2), all.length - height))
  return all.slice(first, first + height)
}

function withCursor(text: string, at: number): Span[] {
  const under = graphemes(text.slice(at, at + 64))[0] ?? ''
  return [
    span(text.slice(0, at)),
    span(under === '' ? ' ' : under, { inverse: true }),
    span(text.slice(at + under.length)),
  ]
}
