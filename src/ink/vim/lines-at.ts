import { type Bordered, borderAfter, borderBefore } from '../prompt/borders.ts'

/** A part of a text from `start` to before `end`; of whole lines, without the last line break. */
export interface Stretch {
  readonly start: number
  readonly end: number
  readonly isLines: boolean
}

/** Returns the start of the line that an index lies in. */
export function startOfLine(text: string, index: number): number {
  return index === 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1
}

/** Returns the end of the line that an index lies in: of its line break, or of the text. */
export function endOfLine(text: string, index: number): number {
  const end = text.indexOf('\n', index)
  return end < 0 ? text.length : end
}

/** Returns the index of the first character of a line that is no blank; its last one if there is none. */
export function firstNonBlank(bordered: Bordered, index: number): number {
  const { text } = bordered
  const start = startOfLine(text, index)
  let at = start
  while (isBlank(text, at)) at++
  return at === endOfLine(text, start) ? lastCharacter(bordered, start) : at
}

/** Returns the index of the last character of a line; its start if it is empty. */
export function lastCharacter(bordered: Bordered, index: number): number {
  const end = endOfLine(bordered.text, index)
  return end === startOfLine(bordered.text, index) ? end : borderBefore(bordered, end)
}

/** Returns the index of the character that a cursor stands on outside the insert mode. */
export function onCharacter(bordered: Bordered, index: number): number {
  return index === endOfLine(bordered.text, index) ? lastCharacter(bordered, index) : index
}

/** Whether a space or a tab stands at an index. */
export function isBlank(text: string, index: number): boolean {
  return text[index] === ' ' || text[index] === '\t'
}

/** Whether a cursor stands at or before the first character of its line that is no blank. */
export function isInIndent(text: string, index: number): boolean {
  return /^[ \t]*$/.test(text.slice(startOfLine(text, index), index))
}

/** Moves by up to `count` characters, without leaving the line. `isPast`: up to behind the last one. */
export function stepInLine(bordered: Bordered, from: number, count: number, isPast = false): number {
  const { text } = bordered
  const [start, end] = [startOfLine(text, from), endOfLine(text, from)]
  let at = from
  for (let left = Math.abs(count); left > 0; left--) {
    if (count < 0 ? at <= start : at >= end) break
    at = count < 0 ? borderBefore(bordered, at) : borderAfter(bordered, at)
  }
  return at === end && !isPast ? Math.max(onCharacter(bordered, at), start) : at
}

/** Returns the start of the line some lines below, or above; the last or first one if there are fewer. */
export function lineBelow(text: string, index: number, by: number): number {
  let at = startOfLine(text, index)
  for (let left = Math.abs(by); left > 0; left--) {
    const next = by < 0 ? (at === 0 ? -1 : startOfLine(text, at - 1)) : text.indexOf('\n', at) + 1
    if (next < 0 || (by > 0 && next === 0)) break
    at = next
  }
  return at
}
