import { unreachable } from '../../error.ts'
import type { Syntax } from '../code/code-syntax.ts'
import type { Block } from '../markdown/blocks.ts'
import { drawBlock } from '../markdown/drawn-markdown.ts'
import { fitting } from '../rows/columns.ts'
import { type Line, line, lines, lineText, span, tinted, wrap } from '../rows/line.ts'
import { indent, indented, proseWidth } from '../rows/row.ts'
import { wrapTableRow } from '../rows/table-row.ts'
import type { Entry } from '../state.ts'
import { type Drawing, plainDrawing } from './drawing.ts'
import { drawHeader } from './header-view.ts'
import { drawItems } from './plan.ts'
import { isApart, partOf } from './rhythm.ts'
import { drawReads } from './shown-reads.ts'
import { drawEndedCall } from './shown-tools.ts'
import { drawThought } from './thinking-text.ts'
import { drawTurnEnd } from './turn-end.ts'

/**
 * Draws an entry of the transcript, after a blank row if it is another part than the entry `before`. An entry is drawn once: the
 * scrollback is never redrawn.
 */
export function drawEntry(entry: Entry, width: number, before?: Entry, drawing = plainDrawing): Line[] {
  const drawn = drawPart(entry, width, drawing)
  return isSetOff(entry, before) ? [[], ...drawn] : drawn
}

function isSetOff(entry: Entry, before: Entry | undefined): boolean {
  if (before === undefined) return false
  // The rest of a text has its own blank rows, except after a note that came between.
  if (entry.type === 'block' && !entry.first) return before.type !== 'block' && before.type !== 'user'
  if (entry.type === 'note' && entry.isPart === true) return false
  return isApart(partOf(entry), partOf(before))
}

function drawPart(entry: Entry, width: number, drawing: Drawing): Line[] {
  switch (entry.type) {
    case 'header':
      return drawHeader(entry, width)
    case 'user':
      return drawUser(entry.text, width)
    case 'block':
      return drawProse(entry.first ? { ...entry.block, gap: false } : entry.block, width, drawing.syntax)
    case 'thinking':
      return [drawThought(entry, width)]
    case 'tool':
      return drawEndedCall(entry, width, drawing)
    case 'reads':
      return [drawReads(entry.calls, width)]
    case 'plan':
      return drawItems(entry.items, width)
    case 'end':
      return [drawTurnEnd(entry, width)]
    case 'note':
      return drawNote(entry, width)
    default:
      return unreachable(entry)
  }
}

/** Draws a block of the model's text, indented. */
export function drawProse(block: Block, width: number, syntax?: Syntax): Line[] {
  return indented(drawBlock(block, proseWidth(width), syntax))
}

/** Draws a note. Only the mark of an error has a colour: its words are to be read. */
function drawNote({ level, text }: Extract<Entry, { type: 'note' }>, width: number): Line[] {
  const margin = span(' '.repeat(indent))
  if (level === 'info')
    return lines(text, { color: 'muted' }).flatMap((one) => wrapTableRow([margin, ...one], width, indent))
  const mark = span('✗ ', { color: 'bad', bold: true })
  return lines(text).flatMap((one, i) =>
    wrapTableRow([margin, i === 0 ? mark : span('  '), ...one], width, indent + 2),
  )
}

/** How much of a user message to show: lines, and columns of each. Longer messages are mostly pasted. */
const shownUserLines = 20
const shownUserLength = 4_000

/** Draws a user message as a bar over the whole width. */
function drawUser(text: string, width: number): Line[] {
  const all = lines(text)
  const left = all.length - shownUserLines
  const more = left > 0 ? [line(`… ${left} more lines`, { color: 'muted' })] : []
  const mark = span('▌ ', { color: 'accent' })
  return [...all.slice(0, shownUserLines), ...more]
    .flatMap((one) => wrap(shortened(one), Math.max(1, width - 2)))
    .map((row) => tinted([mark, ...row], 'said', width))
}

function shortened(one: Line): Line {
  const text = lineText(one)
  const end = fitting(text, 0, shownUserLength)
  if (end === text.length) return one
  return [
    span(text.slice(0, end), one[0]?.style),
    span(` … ${text.length - end} more characters`, { color: 'muted' }),
  ]
}
