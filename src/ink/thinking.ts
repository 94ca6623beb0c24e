import { formatElapsed } from './format.ts'
import { cut, type Line, line, type Style, span, wrap } from './line.ts'

/** Thinking in progress. Keeps the start and the end of its text, as far as they may be shown. */
export interface Thinking {
  readonly beginning: string
  readonly end: string
  /** Monotonic start time. */
  readonly startedAt: number
}

/** Finished thinking, with the start of its text. */
export interface Thought {
  readonly beginning: string
  /** Absent in a conversation read from its session. */
  readonly durationMs?: number
}

/** Characters kept of the start and of the end. The end grows to twice as many before it is cut, so that rows seldom rewrap. */
const keptLength = 1_000
/** Rows of current thinking that are shown. */
const tailRows = 2

const subtle: Style = { dim: true }
const quoted: Style = { dim: true, italic: true }

/** Creates empty thinking. */
export function beginThinking(startedAt: number): Thinking {
  return { beginning: '', end: '', startedAt }
}

/** Adds a delta in O(delta), however long the text is. */
export function addThinking({ beginning, end, startedAt }: Thinking, delta: string): Thinking {
  const longer = end + delta
  return {
    beginning: beginning.length < keptLength ? beginningOf(beginning + delta) : beginning,
    end: longer.length > 2 * keptLength ? longer.slice(-keptLength) : longer,
    startedAt,
  }
}

/** Returns the start of a text that a `Thought` keeps. */
export function beginningOf(text: string): string {
  return text.slice(0, keptLength)
}

/** Draws a line with the elapsed time, and the last rows of the text. */
export function drawThinking({ end, startedAt }: Thinking, now: number, width: number): Line[] {
  const text = flat(end)
  const rows = text === '' ? [] : wrap(line(text, quoted), Math.max(1, width - 2)).slice(-tailRows)
  const head = line(`✻ thinking… ${formatElapsed(now - startedAt)}`, subtle)
  return [cut(head, width), ...rows.map((row) => [span('  '), ...row])]
}

/** Draws one line with the duration, at least 1 s, and the first words. */
export function drawThought({ beginning, durationMs }: Thought, width: number): Line {
  const time = durationMs === undefined ? '' : ` for ${formatElapsed(Math.max(1_000, durationMs))}`
  return cut([span(`✻ thought${time} · `, subtle), span(flat(beginning), quoted)], width)
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
