import { type Bordered, borderAfter } from '../prompt/borders.ts'
import type { Prompt } from '../prompt/prompt.ts'
import { endOfLine, lineBelow, type Stretch, startOfLine, stepInLine } from './lines-at.ts'
import { type Extent, isVisual, type Vim } from './vim.ts'
import { linesOf } from './vim-operators.ts'

/** Returns what is selected in a visual mode; `undefined` in the others. */
export function selectionOf(prompt: Prompt): Stretch | undefined {
  const { vim, cursor, text } = prompt
  if (vim === undefined || !isVisual(vim)) return undefined
  return selected(prompt, vim, Math.min(vim.anchor, text.length), cursor)
}

function selected(bordered: Bordered, { mode }: Vim, anchor: number, cursor: number): Stretch {
  const { text } = bordered
  const [first, last] = anchor < cursor ? [anchor, cursor] : [cursor, anchor]
  if (mode === 'visual_line') return linesOf(text, first, last)
  // The end of a line is its line break.
  const end = last === text.length ? last : text[last] === '\n' ? last + 1 : borderAfter(bordered, last)
  return { start: first, end, isLines: false }
}

/** Returns the size of a selection, to select as much elsewhere. */
export function extentOf(bordered: Bordered, { start, end, isLines }: Stretch): Extent {
  const { text } = bordered
  const lines = text.slice(start, isLines ? end : Math.max(start, end - 1)).split('\n').length
  const from = lines === 1 ? start : startOfLine(text, Math.max(start, end - 1))
  let characters = 0
  for (let at = from; at < end; at = text[at] === '\n' ? at + 1 : borderAfter(bordered, at)) characters++
  return { lines, characters, isLines }
}

/** Returns as much text from an index on. */
export function stretchOfExtent(
  bordered: Bordered,
  index: number,
  { lines, characters, isLines }: Extent,
): Stretch {
  const { text } = bordered
  const last = lines === 1 ? index : lineBelow(text, index, lines - 1)
  if (isLines) return linesOf(text, index, last)
  const end = stepInLine(bordered, last, characters, true)
  return { start: index, end: Math.min(end, endOfLine(text, last)), isLines: false }
}
