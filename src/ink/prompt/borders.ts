import { graphemes } from '../rows/columns.ts'
import type { Paste } from './prompt.ts'

/** Code units that are searched for the border of a character. No readable character is longer. */
const windowLength = 256
const firstCombining = 0x300

/** A text in which each of these placeholders counts as one character. */
export interface Bordered {
  readonly text: string
  readonly pastes: readonly Paste[]
}

/** Returns the start of the character before an index. */
export function borderBefore(bordered: Bordered, index: number): number {
  const { text, pastes } = bordered
  if (isSimple(text, index - 2) && isSimple(text, index - 1)) return Math.max(0, index - 1)
  const placeholder = pastes.find((one) => text.endsWith(one.placeholder, index))?.placeholder
  if (placeholder !== undefined) return index - placeholder.length
  return index - (graphemes(text.slice(startOfPart(bordered, index), index)).at(-1)?.length ?? 0)
}

/** Returns the end of the character that starts at an index. */
export function borderAfter(bordered: Bordered, index: number): number {
  const { text, pastes } = bordered
  if (isSimple(text, index) && isSimple(text, index + 1)) return Math.min(text.length, index + 1)
  const placeholder = pastes.find((one) => text.startsWith(one.placeholder, index))?.placeholder
  if (placeholder !== undefined) return index + placeholder.length
  return index + (graphemes(text.slice(index, endOfPart(bordered, index)))[0]?.length ?? 0)
}

/** Returns the index, or the end of the character that it lies within. */
export function snapped(bordered: Bordered, index: number): number {
  const { text } = bordered
  if (index <= 0) return 0
  if (index >= text.length) return text.length
  const end = endOfPlaceholder(bordered, index)
  if (end !== undefined) return end
  const start = startOfPart(bordered, index)
  let at = start
  for (const one of graphemes(text.slice(start, endOfPart(bordered, index)))) {
    if (at >= index) break
    at += one.length
  }
  return at
}

/** Returns the end of the placeholder that an index lies within. */
function endOfPlaceholder({ text, pastes }: Bordered, index: number): number | undefined {
  for (const { placeholder } of pastes) {
    const start = Math.max(0, index - placeholder.length + 1)
    const at = text.slice(start, index + placeholder.length - 1).indexOf(placeholder)
    if (at >= 0) return start + at + placeholder.length
  }
  return undefined
}

/** Returns a border near before an index: the start of its line, the end of a placeholder, or a window away. */
function startOfPart({ text, pastes }: Bordered, index: number): number {
  const least = Math.max(0, index - windowLength)
  const before = text.slice(least, index)
  const newline = before.lastIndexOf('\n', before.length - 2)
  const ends = pastes.map(({ placeholder }) => {
    const at = before.lastIndexOf(placeholder)
    return at < 0 ? 0 : at + placeholder.length
  })
  return least + Math.max(newline + 1, ...ends)
}

/** Returns a border near behind an index: the start of a placeholder, or a window away. */
function endOfPart({ text, pastes }: Bordered, index: number): number {
  const after = text.slice(index, index + windowLength)
  const starts = pastes.map(({ placeholder }) => after.indexOf(placeholder)).filter((at) => at >= 0)
  return index + Math.min(after.length, ...starts)
}

/** Whether a character, if there is one, ends no placeholder, begins none, and never combines with another one like it. */
function isSimple(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  return !(unit >= firstCombining) && unit !== 0x0d && unit !== 0x5b && unit !== 0x5d
}
