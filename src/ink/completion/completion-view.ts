import { columnsOf, graphemes } from '../rows/columns.ts'
import { columnsOfLine, cut, type Line, type Span, span } from '../rows/line.ts'
import type { Screen, Size } from '../state.ts'
import { type CompletionItem, shownCompletion } from './completion.ts'

/** Most rows of the list. */
const mostRows = 8
/** Rows of a window from which a list of commands tells how many there are. */
const countFrom = 12
/** Columns that a description must have to be shown. */
const leastHelp = 16
/** Columns before a label. */
const hang = 2

/** Returns how many items are visible at once. */
function pageOf({ rows }: Size): number {
  return Math.max(1, Math.min(mostRows, Math.floor(rows / 2) - 2))
}

/** Draws the list of completions, if one is shown, around its focus. */
export function drawCompletion(screen: Screen): Line[] {
  const completion = shownCompletion(screen)
  if (completion === undefined) return []
  const { items, focus, word } = completion
  const page = pageOf(screen.size)
  const first = Math.max(0, Math.min(focus - page + 1, items.length - page))
  const shown = items.slice(first, first + page)
  const { columns } = screen.size
  const widest = Math.max(...shown.map(({ label }) => columnsOf(label)))
  const width = Math.min(widest, columns - hang)
  const rows = shown.map((item, i) => drawItem(item, { columns, width, isFocused: first + i === focus }))
  if (word.type !== 'command' || items.length === shown.length || screen.size.rows < countFrom) return rows
  return [...rows, cut([span(`  ${shown.length} of ${items.length}`, { color: 'muted' })], columns)]
}

interface ItemOptions {
  readonly columns: number
  /** Columns of the labels. */
  readonly width: number
  readonly isFocused: boolean
}

function drawItem(item: CompletionItem, { columns, width, isFocused }: ItemOptions): Line {
  const mark = isFocused ? span('❯ ', { color: 'accent', bold: true }) : span('  ')
  const label = fitLabel(item, columns - hang)
  const row = [
    mark,
    ...label.map((part) => (isFocused ? { ...part, style: { bold: true, ...part.style } } : part)),
  ]
  const room = columns - hang - width - 2
  if (item.help === undefined || room < leastHelp) return row
  const gap = ' '.repeat(Math.max(0, width - columnsOfLine(label)) + 2)
  return cut([...row, span(gap + item.help, { color: 'muted' })], columns)
}

/** Draws a label with its matched letters. Of one that is too long, the end is shown: it tells paths apart. */
function fitLabel({ label, matched }: CompletionItem, width: number): Line {
  if (columnsOf(label) <= width) return marked(label, matched, 0)
  const parts = [...graphemes(label).slice(-width)]
  while (columnsOf(parts.join('')) > width - 1) parts.shift()
  const from = label.length - parts.join('').length
  return [span('…', { color: 'muted' }), ...marked(label, matched, from)]
}

/** Splits a label from an index on into matched and other parts. Never splits a character. */
function marked(label: string, matched: readonly number[], from: number): Line {
  const hits = new Set(matched)
  const spans: Span[] = []
  let [text, isHit, at] = ['', false, from]
  const end = () => {
    if (text !== '') spans.push(span(text, isHit ? { color: 'accent', bold: true } : undefined))
  }
  for (const part of graphemes(label.slice(from))) {
    if (hits.has(at) !== isHit) {
      end()
      text = ''
      isHit = hits.has(at)
    }
    text += part
    at += part.length
  }
  end()
  return spans
}
