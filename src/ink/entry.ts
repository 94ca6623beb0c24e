import { unreachable } from '../error.ts'
import { fitting } from './columns.ts'
import { type Line, line, lines, lineText, span, wrap } from './line.ts'
import { drawBlock } from './markdown.ts'
import type { Entry } from './state.ts'
import { drawThought } from './thinking.ts'
import { drawEndedCall } from './tools.ts'

/**
 * Draws an entry of the transcript, after a blank row if its type differs enough from the entry `before`. An entry is drawn once:
 * the scrollback is never redrawn.
 */
export function drawEntry(entry: Entry, width: number, before?: Entry): Line[] {
  const isSetOff =
    before !== undefined && (entry.type === 'header' || (entry.type === 'note' && spoken.has(before.type)))
  return isSetOff ? [[], ...drawPart(entry, width)] : drawPart(entry, width)
}

/** Entries made by the model. */
const spoken: ReadonlySet<Entry['type']> = new Set(['block', 'thinking', 'tool'])

function drawPart(entry: Entry, width: number): Line[] {
  switch (entry.type) {
    case 'header':
      return wrap([span('pipe ', { bold: true }), span(`${entry.model} · /help`, { dim: true })], width)
    case 'user':
      return [[], ...drawUser(entry.text, width)]
    case 'block':
      return entry.first
        ? [[], ...drawBlock({ ...entry.block, gap: false }, width)]
        : drawBlock(entry.block, width)
    case 'thinking':
      return [[], drawThought(entry, width)]
    case 'tool':
      return drawEndedCall(entry, width)
    case 'note':
      return lines(entry.text, entry.level === 'error' ? { color: 'red' } : { dim: true }).flatMap((one) =>
        wrap(one, width),
      )
    default:
      return unreachable(entry)
  }
}

/** How much of a user message to show: lines, and columns of each. Longer messages are mostly pasted. */
const shownUserLines = 20
const shownUserLength = 4_000

/** Draws a user message after a mark. */
export function drawUser(text: string, width: number): Line[] {
  const all = lines(text, { color: 'cyan' })
  const left = all.length - shownUserLines
  const more = left > 0 ? [line(`… ${left} more lines`, { dim: true })] : []
  return [...all.slice(0, shownUserLines), ...more].flatMap((one, i) => {
    const mark = span(i === 0 ? '› ' : '  ', { color: 'cyan', bold: true })
    return wrap([mark, ...shortened(one)], width, 2)
  })
}

function shortened(one: Line): Line {
  const text = lineText(one)
  const end = fitting(text, 0, shownUserLength)
  if (end === text.length) return one
  return [
    span(text.slice(0, end), one[0]?.style),
    span(` … ${text.length - end} more characters`, { dim: true }),
  ]
}
