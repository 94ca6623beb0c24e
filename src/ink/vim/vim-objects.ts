import { type Bordered, borderAfter, borderBefore } from '../prompt/borders.ts'
import { kindAt } from '../prompt/words.ts'
import { bracketsAround } from './brackets.ts'
import { endOfLine, isBlank, isInIndent, lineBelow, type Stretch, startOfLine } from './lines-at.ts'
import type { TextObject } from './vim-command.ts'

/** Returns what a text object covers at an index; `undefined` if there is none. */
export function objectAt(
  text: Bordered,
  index: number,
  { kind, isAround }: TextObject,
  count: number,
): Stretch | undefined {
  switch (kind) {
    case 'w':
    case 'W':
      return wordsAt(text, index, { isBig: kind === 'W', isAround, count })
    case 'p':
      return paragraphsAt(text.text, index, isAround, count)
    case '"':
    case "'":
    case '`':
      return quotedAt(text, index, kind, isAround, count)
    default:
      return bracketedAt(text, index, kind, isAround, count)
  }
}

interface WordsAt {
  readonly isBig: boolean
  readonly isAround: boolean
  readonly count: number
}

/** Words and the blanks between them are runs: `iw` takes runs, `aw` takes words with the blanks behind or else before them. */
function wordsAt(text: Bordered, index: number, { isBig, isAround, count }: WordsAt): Stretch | undefined {
  const kindOf = (at: number) =>
    isBlank(text.text, at) ? 0 : isBig ? Math.min(1, kindAt(text, at)) : kindAt(text, at)
  const lineEnd = endOfLine(text.text, index)
  const lineStart = startOfLine(text.text, index)
  if (lineStart === lineEnd) return undefined
  const runEnd = (from: number) => {
    let at = from
    const kind = kindOf(from)
    while (at < lineEnd && kindOf(at) === kind) at = borderAfter(text, at)
    return at
  }
  const runStart = (from: number) => {
    let at = from
    while (at > lineStart && kindOf(borderBefore(text, at)) === kindOf(from)) at = borderBefore(text, at)
    return at
  }
  let start = runStart(Math.min(index, borderBefore(text, lineEnd)))
  const beginsBlank = isBlank(text.text, start)
  let end = start
  let hasBlanks = false
  for (let left = count; left > 0; left--) {
    if (end >= lineEnd) return undefined
    end = runEnd(end)
    if (!isAround) continue
    hasBlanks = beginsBlank || (end < lineEnd && isBlank(text.text, end))
    if (end < lineEnd && (beginsBlank || hasBlanks)) end = runEnd(end)
    else if (beginsBlank) return undefined
  }
  if (isAround && !hasBlanks && start > lineStart && isBlank(text.text, start - 1)) {
    const blanks = runStart(start - 1)
    // Blanks at the start of a line are its indent.
    if (blanks > lineStart) start = blanks
  }
  return { start, end, isLines: false }
}

/** Runs of blank lines, and of others. */
function paragraphsAt(text: string, index: number, isAround: boolean, count: number): Stretch | undefined {
  const isBlankLine = (line: number) => /^[ \t]*$/.test(text.slice(line, endOfLine(text, line)))
  const runLast = (from: number) => {
    let line = from
    for (;;) {
      const next = lineBelow(text, line, 1)
      if (next === line || isBlankLine(next) !== isBlankLine(from)) return line
      line = next
    }
  }
  const runFirst = (from: number) => {
    let line = from
    while (line > 0 && isBlankLine(lineBelow(text, line, -1)) === isBlankLine(from))
      line = lineBelow(text, line, -1)
    return line
  }
  let start = runFirst(startOfLine(text, index))
  const beginsBlank = isBlankLine(start)
  let last = start
  let hasBlanks = beginsBlank
  for (let left = isAround ? 2 * count : count, isFirst = true; left > 0; left--, isFirst = false) {
    const next = isFirst ? start : lineBelow(text, last, 1)
    if (!isFirst && next === last) {
      // The last paragraph has no blank lines behind it.
      if (isAround && left === 1 && !beginsBlank) break
      return undefined
    }
    last = runLast(next)
    hasBlanks ||= isBlankLine(last)
  }
  if (isAround && !isBlankLine(last) && !beginsBlank && start > 0) {
    const before = lineBelow(text, start, -1)
    if (isBlankLine(before)) start = runFirst(before)
    hasBlanks = true
  }
  return isAround && !hasBlanks && count > 1
    ? undefined
    : { start, end: endOfLine(text, last), isLines: true }
}

/** Finds the quotes around an index, or the next ones of its line. With a count of two, the quotes belong to the inner text. */
function quotedAt(
  bordered: Bordered,
  index: number,
  quote: string,
  isAround: boolean,
  count: number,
): Stretch | undefined {
  const { text } = bordered
  const lineStart = startOfLine(text, index)
  const line = text.slice(lineStart, endOfLine(text, index))
  const places = Array.from(line.matchAll(/\\[\s\S]|["'`]/g), ({ 0: found, index: at }) =>
    found === quote ? [lineStart + at] : [],
  ).flat()
  const [open, close] = pairAt(places, index) ?? []
  if (open === undefined || close === undefined) return undefined
  if (!isAround)
    return count > 1
      ? { start: open, end: close + 1, isLines: false }
      : { start: open + 1, end: close, isLines: false }
  let end = close + 1
  while (isBlank(text, end)) end++
  let start = open
  if (end === close + 1) while (start > lineStart && isBlank(text, start - 1)) start--
  return { start, end, isLines: false }
}

/** On a quote, it is counted from the start of the line which ones belong together; beside them, the nearest ones do. */
function pairAt(places: readonly number[], index: number): readonly [number, number] | undefined {
  const on = places.indexOf(index)
  const before = places.findLastIndex((at) => at < index)
  const first = on >= 0 ? on - (on % 2) : Math.max(0, before)
  const [open, close] = [places[first], places[first + 1]]
  return open === undefined || close === undefined ? undefined : [open, close]
}

function bracketedAt(
  bordered: Bordered,
  index: number,
  bracket: string,
  isAround: boolean,
  count: number,
): Stretch | undefined {
  const { text } = bordered
  // A block is meant from its indent on, too.
  let from = index
  if (bracket === '{' && isInIndent(text, index)) while (isBlank(text, from)) from++
  const pair = bracketsAround(bordered, from, bracket, count)
  if (pair === undefined) return undefined
  const { open, close } = pair
  if (isAround) return { start: open, end: close + 1, isLines: false }
  const start = text[open + 1] === '\n' && open + 1 < close ? open + 2 : open + 1
  const closes = startOfLine(text, close)
  const isOwnLine = bracket === '{' ? isInIndent(text, close) : closes === close
  if (isOwnLine && closes > open) return { start: Math.min(start, closes), end: closes, isLines: false }
  return { start: Math.min(start, close), end: close, isLines: false }
}
