import { formatElapsed } from '../../frontend/words/duration.ts'
import { cut, type Line, line, type Style, span, wrap } from '../rows/line.ts'
import { indent, indented, widestRow, withRight } from '../rows/row.ts'
import { spinnerAt } from '../rows/spinner.ts'

/** Thinking in progress. Keeps the start and the end of its text, as far as they may be shown. */
export interface ThinkingText {
  readonly beginning: string
  readonly end: string
  /** All of it, as far as views keep it. */
  readonly text: string
  /** Monotonic start time. */
  readonly startedAt: number
}

/** Finished thinking, with the start of its text. */
export interface Thought {
  readonly beginning: string
  /** All of it, as far as views keep it. */
  readonly text?: string
  /** Absent in a conversation read from its session. */
  readonly durationMs?: number
}

/** Characters kept of the start and of the end. The end grows to twice as many before it is cut, so that rows seldom rewrap. */
const keptLength = 1_000
/** Characters kept of the whole text. */
const longestText = 500_000
/** Rows of current thinking that are shown. */
const tailRows = 2

const subtle: Style = { color: 'muted' }
const quoted: Style = { color: 'faint', italic: true }

/** Creates empty thinking. */
export function beginThinking(startedAt: number): ThinkingText {
  return { beginning: '', end: '', text: '', startedAt }
}

/** Adds a delta in O(delta), however long the text is. */
export function addThinking({ beginning, end, text, startedAt }: ThinkingText, delta: string): ThinkingText {
  const longer = end + delta
  return {
    beginning: beginning.length < keptLength ? thoughtStart(beginning + delta) : beginning,
    end: longer.length > 2 * keptLength ? longer.slice(-keptLength) : longer,
    text: text.length > longestText ? text : text + delta,
    startedAt,
  }
}

/** Returns the start of a text that a `Thought` keeps. */
export function thoughtStart(text: string): string {
  return text.slice(0, keptLength)
}

/** Draws a line with the elapsed time, and the last rows of the text. */
export function drawThinking({ end, startedAt }: ThinkingText, now: number, width: number): Line[] {
  const text = flat(end)
  const room = Math.max(1, width - indent - 2)
  const rows = text === '' ? [] : wrap(line(text, quoted), room).slice(-tailRows)
  const head: Line = [
    span(' '.repeat(indent)),
    span(spinnerAt(now), { color: 'accent' }),
    span(' thinking', subtle),
  ]
  const time = line(formatElapsed(now - startedAt), { color: 'faint' })
  return [withRight(head, [time, []], Math.min(width, widestRow)), ...indented(rows, indent + 2)]
}

/** Draws one line with the duration, at least 1 s, and the first words. */
export function drawThought({ beginning, durationMs }: Thought, width: number): Line {
  const time = durationMs === undefined ? '' : ` for ${formatElapsed(Math.max(1_000, durationMs))}`
  const head: Line = [
    span(' '.repeat(indent)),
    span('✻ ', { color: 'faint' }),
    span(`thought${time}  `, subtle),
  ]
  return cut([...head, span(flat(beginning), quoted)], Math.min(width, widestRow))
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
