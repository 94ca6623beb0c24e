import { formatElapsed } from './format.ts'
import { cut, type Line, line, type Style, span, wrap } from './line.ts'

/** Thinking that goes on. Of its text the two ends are kept, as far as they may be shown. */
export interface Thinking {
  readonly beginning: string
  readonly end: string
  /** Monotonic. */
  readonly startedAt: number
}

/** Thinking that is over, by how it began. */
export interface Thought {
  readonly beginning: string
  /** Absent in a conversation read from its session. */
  readonly durationMs?: number
}

/** Characters that are kept of either end; of what goes on up to twice as many, so that its rows seldom break anew. */
const keptLength = 1_000
/** Rows of what is being thought that are shown. */
const tailRows = 2

const subtle: Style = { dim: true }
const quoted: Style = { dim: true, italic: true }

/** Nothing thought yet. */
export function beginThinking(startedAt: number): Thinking {
  return { beginning: '', end: '', startedAt }
}

/** Adds a delta. Costs O(delta) however long the text is. */
export function addThinking({ beginning, end, startedAt }: Thinking, delta: string): Thinking {
  const longer = end + delta
  return {
    beginning: beginning.length < keptLength ? beginningOf(beginning + delta) : beginning,
    end: longer.length > 2 * keptLength ? longer.slice(-keptLength) : longer,
    startedAt,
  }
}

/** As much of a whole text as a `Thought` keeps. */
export function beginningOf(text: string): string {
  return text.slice(0, keptLength)
}

/** A line that says for how long, and the last rows of the text. */
export function drawThinking({ end, startedAt }: Thinking, now: number, width: number): Line[] {
  const text = flat(end)
  const rows = text === '' ? [] : wrap(line(text, quoted), Math.max(1, width - 2)).slice(-tailRows)
  const head = line(`✻ thinking… ${formatElapsed(now - startedAt)}`, subtle)
  return [cut(head, width), ...rows.map((row) => [span('  '), ...row])]
}

/** Folded to one line: for how long, and the first words. What took less than a second counts as one. */
export function drawThought({ beginning, durationMs }: Thought, width: number): Line {
  const time = durationMs === undefined ? '' : ` for ${formatElapsed(Math.max(1_000, durationMs))}`
  return cut([span(`✻ thought${time} · `, subtle), span(flat(beginning), quoted)], width)
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
