import { type Bordered, borderAfter } from '../prompt/borders.ts'
import type { Prompt } from '../prompt/prompt.ts'
import { endOfLine, firstNonBlank, isInIndent, lineBelow, type Stretch, startOfLine } from './lines-at.ts'
import { changedTo, keepPart } from './vim-change.ts'
import type { Operator } from './vim-command.ts'
import type { Moved } from './vim-motions.ts'

/** The text that `>` adds to a line. */
const indent = '  '

/** Returns what an operator works on for a motion from an index. */
export function stretchTo(text: Bordered, from: number, { to, reach }: Moved, operator: Operator): Stretch {
  const [first, last] = from < to ? [from, to] : [to, from]
  if (reach === 'lines') return linesOf(text.text, first, last)
  const isIncluded = reach === 'with' && last < endOfLine(text.text, last)
  return shaped(
    text.text,
    { start: first, end: isIncluded ? borderAfter(text, last) : last, isLines: false },
    reach === 'before',
    operator,
  )
}

/** Returns the lines from that of one index to that of another. */
export function linesOf(text: string, first: number, last: number): Stretch {
  return { start: startOfLine(text, first), end: endOfLine(text, last), isLines: true }
}

/**
 * Shapes what spans lines as vi does: up to the start of a line means up to the end of the line before it, and lines without anything
 * else on them are whole lines.
 */
export function shaped(text: string, stretch: Stretch, isBefore: boolean, operator: Operator): Stretch {
  const { start, end, isLines } = stretch
  if (isLines || end <= endOfLine(text, start)) return stretch
  if (isBefore && startOfLine(text, end) === end) {
    if (isInIndent(text, start)) return linesOf(text, start, end - 1)
    return { start, end: end - 1, isLines: false }
  }
  const isRest = /^[ \t]*$/.test(text.slice(end, endOfLine(text, end)))
  return operator === 'd' && isRest && isInIndent(text, start) ? linesOf(text, start, end) : stretch
}

/** The cursor before, and the number of times that lines are moved. */
export interface Operating {
  readonly cursor: number
  readonly times: number
}

/** Lets an operator work on a part of the text. `c` leaves its cursor where text is to be written. */
export function operate(written: Prompt, operator: Operator, stretch: Stretch, at: Operating): Prompt {
  const { start, end, isLines } = stretch
  const { text } = written
  // Undoing goes back to here.
  const prompt = { ...written, cursor: isLines ? at.cursor : start }
  switch (operator) {
    case 'd':
      return isLines ? deleteLines(prompt, stretch) : cutOut(prompt, stretch)
    case 'c':
      return cutOut(prompt, stretch)
    case 'y':
      return { ...keepPart(prompt, stretch), last: undefined }
    case '>':
    case '<':
      return shiftLines(prompt, linesOf(text, start, Math.max(start, end)), operator === '>', at.times)
    default: {
      const changed = inCase(text.slice(start, end), operator)
      return changedTo(prompt, {
        text: text.slice(0, start) + changed + text.slice(end),
        cursor: prompt.cursor,
      })
    }
  }
}

function cutOut(prompt: Prompt, stretch: Stretch): Prompt {
  const { start, end, isLines } = stretch
  if (start === end && !isLines) return { ...prompt, cursor: start, last: undefined }
  const { text } = prompt
  return changedTo(keepPart(prompt, stretch), { text: text.slice(0, start) + text.slice(end), cursor: start })
}

/** Deletes lines with a line break of theirs. */
function deleteLines(prompt: Prompt, stretch: Stretch): Prompt {
  const { start, end } = stretch
  const { text } = prompt
  const isLast = end === text.length
  const left = text.slice(0, isLast ? Math.max(0, start - 1) : start) + text.slice(isLast ? end : end + 1)
  const cursor = firstNonBlank({ ...prompt, text: left }, Math.min(start, left.length))
  return changedTo(keepPart(prompt, stretch), { text: left, cursor })
}

function shiftLines(prompt: Prompt, { start, end }: Stretch, isRight: boolean, times: number): Prompt {
  const { text } = prompt
  const back = new RegExp(`^(?: {1,${indent.length}}|\\t){0,${times}}`)
  const lines = text.slice(start, end).split('\n')
  const moved = lines.map((line) => {
    if (isRight) return line === '' ? line : indent.repeat(times) + line
    return line.replace(back, '')
  })
  const changed = text.slice(0, start) + moved.join('\n') + text.slice(end)
  return changedTo(prompt, { text: changed, cursor: firstNonBlank({ ...prompt, text: changed }, start) })
}

/** Changes the case of letters. One whose other case has another length stays. */
export function inCase(text: string, operator: Operator): string {
  return text.replace(/\p{L}/gu, (letter) => {
    const lower = letter.toLowerCase()
    const upper = letter.toUpperCase()
    const turned = letter === lower ? upper : lower
    const changed = operator === 'gu' ? lower : operator === 'gU' ? upper : turned
    return changed.length === letter.length ? changed : letter
  })
}

/** Joins a line with the next ones. `isPlain`: without touching blanks. */
export function joinLines(prompt: Prompt, count: number, isPlain: boolean): Prompt | undefined {
  let { text, cursor } = prompt
  if (!text.includes('\n', cursor)) return undefined
  for (let left = Math.max(1, count - 1); left > 0; left--) {
    const end = endOfLine(text, cursor)
    if (end === text.length) break
    let next = end + 1
    if (!isPlain) while (text[next] === ' ' || text[next] === '\t') next++
    const isEmpty = startOfLine(text, end) === end
    const needsNone = isPlain || isEmpty || /[ \t]/.test(text.charAt(end - 1))
    const gap = needsNone || /^[)\n]?$/.test(text.charAt(next)) ? '' : ' '
    text = text.slice(0, end) + gap + text.slice(next)
    cursor = end
  }
  return changedTo(prompt, { text, cursor })
}

/** Returns the lines that a doubled operator works on. */
export function linesFrom(text: string, index: number, count: number): Stretch {
  return linesOf(text, index, lineBelow(text, index, count - 1))
}
