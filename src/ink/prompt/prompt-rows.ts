import { columnsOf, graphemes } from '../rows/columns.ts'
import { borderBefore, snapped } from './borders.ts'
import type { Prompt } from './prompt.ts'

/** A row of a draft: its text from `start` to `end`, without the line break. */
export interface TextRow {
  readonly start: number
  readonly end: number
}

/** Rows around a cursor. */
export interface TextRows {
  readonly rows: readonly TextRow[]
  /** Position of the row with the cursor among them. */
  readonly at: number
  /** Rows above and below these; `undefined`: many. */
  readonly above: number | undefined
  readonly below: number | undefined
}

/** Code units after which a line begins a new row in any case. Bounds what a key costs in a long line. */
const blockLength = 1_024
/** Code units on each side whose rows are counted. */
const countedLength = 1_500

/** Width that a tab is shown with. */
export const tabColumns = 4

/** Lays out the row of a cursor, and up to `most` rows on each side of it. */
export function rowsAround(text: string, cursor: number, columns: number, most: number): TextRows {
  const line = cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1
  const blocks = blocksOf(text, line)
  const here = blocks.findLastIndex(({ start }) => start <= cursor)
  const rows = blocks.slice(here, here + 1).flatMap((block) => rowsOf(text, block, columns))
  const at = rows.findLastIndex(({ start }) => start <= cursor)
  const layOut = (block: TextRow) => rowsOf(text, block, columns)
  const above = collect(rows.slice(0, at).toReversed(), {
    most,
    blocks: blocksAbove(text, line, blocks.slice(0, here)),
    layOut: (block) => layOut(block).toReversed(),
  })
  const below = collect(rows.slice(at + 1), {
    most,
    blocks: blocksBelow(text, line, blocks.slice(here + 1)),
    layOut,
  })
  return {
    rows: [...above.rows.toReversed(), ...rows.slice(at, at + 1), ...below.rows],
    at: above.rows.length,
    above: above.more,
    below: below.more,
  }
}

interface Collecting {
  readonly most: number
  /** Further parts of the text, the nearest first. */
  readonly blocks: Iterable<TextRow>
  /** Returns the rows of a part, the nearest first. */
  readonly layOut: (block: TextRow) => readonly TextRow[]
}

/** Takes the nearest rows and counts the others. */
function collect(first: readonly TextRow[], { most, blocks, layOut }: Collecting) {
  const rows = first.slice(0, most)
  let more = first.length - rows.length
  let left = countedLength
  for (const block of blocks) {
    if (left < 0 && rows.length === most) return { rows, more: undefined }
    left -= block.end - block.start + 1
    const next = layOut(block)
    const taken = next.slice(0, most - rows.length)
    rows.push(...taken)
    more += next.length - taken.length
  }
  return { rows, more }
}

/** Moves the cursor a row up or down, towards the column where such moves began; `undefined` if there is no row. */
export function moveRow(prompt: Prompt, by: -1 | 1, columns: number): Prompt | undefined {
  const { text, cursor, last } = prompt
  const { rows, at } = rowsAround(text, cursor, columns, 2)
  const [row, other] = [rows[at], rows[at + by]]
  if (row === undefined || other === undefined) return undefined
  const goal = last?.type === 'moved' ? last.goal : widthOf(text.slice(row.start, cursor))
  const found = snapped(prompt, indexAt(text, other, goal))
  // The end of a row that wraps is the start of the next one. A placeholder may reach into it.
  const isPast = found > other.end || (found === other.end && rows[at + by + 1]?.start === other.end)
  const to = isPast && found > other.start ? borderBefore(prompt, found) : found
  return { ...prompt, cursor: to, last: { type: 'moved', goal } }
}

/** Returns the width of a part of a draft in columns. */
function widthOf(text: string): number {
  if (!text.includes('\t')) return columnsOf(text)
  const parts = text.split('\t')
  return parts.reduce((sum, one) => sum + columnsOf(one), (parts.length - 1) * tabColumns)
}

/** Returns the index in a row that is `goal` columns from its start, or its end. */
function indexAt(text: string, { start, end }: TextRow, goal: number): number {
  let at = start
  let left = goal
  for (const one of graphemes(text.slice(start, end))) {
    left -= widthOf(one)
    if (left < 0) break
    at += one.length
  }
  return at
}

/** Whether a character is printable ASCII: a shortcut for most texts. */
function isNarrow(one: string): boolean {
  const unit = one.charCodeAt(0)
  return one.length === 1 && unit >= 0x20 && unit < 0x7f
}

/** Breaks a part of a line into rows, after a space where one fits. Every index of the part is in one row. */
function rowsOf(text: string, { start, end }: TextRow, columns: number): readonly TextRow[] {
  const rows: TextRow[] = []
  let from = start
  let at = start
  let used = 0
  /** The index behind the last space of the row. */
  let space = start
  for (const one of graphemes(text.slice(start, end))) {
    const width = isNarrow(one) ? 1 : widthOf(one)
    // A space at the end of a row takes no room, so that the next row begins with a word.
    const hangs = one === ' ' && used === columns && at + 1 < end
    if (used + width > columns && at > from && !hangs) {
      const to = space > from && one !== ' ' ? space : at
      rows.push({ start: from, end: to })
      from = to
      used = widthOf(text.slice(from, at))
      space = from
    }
    at += one.length
    used += hangs ? 0 : width
    if (one === ' ') space = at
  }
  rows.push({ start: from, end })
  return rows
}

/** Cuts the line that begins at an index into parts of bounded length. */
function blocksOf(text: string, line: number): readonly TextRow[] {
  const newline = text.indexOf('\n', line)
  const lineEnd = newline < 0 ? text.length : newline
  const blocks: TextRow[] = []
  for (let start = line; start <= lineEnd; ) {
    const end = blockEnd(text, start, lineEnd)
    blocks.push({ start, end })
    start = end === lineEnd ? lineEnd + 1 : end
  }
  return blocks
}

function blockEnd(text: string, start: number, lineEnd: number): number {
  const most = start + blockLength
  if (most >= lineEnd) return lineEnd
  const space = text.slice(start, most).lastIndexOf(' ')
  if (space > blockLength / 2) return start + space + 1
  return snapped({ text, pastes: [] }, most)
}

/** Yields the parts above a line, from the nearest on; `before` are those of the line itself. */
function* blocksAbove(text: string, line: number, before: readonly TextRow[]): Generator<TextRow, void> {
  yield* before.toReversed()
  for (let start = line; start > 0; ) {
    start = start === 1 ? 0 : text.lastIndexOf('\n', start - 2) + 1
    yield* blocksOf(text, start).toReversed()
  }
}

function* blocksBelow(text: string, line: number, after: readonly TextRow[]): Generator<TextRow, void> {
  yield* after
  for (let newline = text.indexOf('\n', line); newline >= 0; newline = text.indexOf('\n', newline + 1)) {
    yield* blocksOf(text, newline + 1)
  }
}
