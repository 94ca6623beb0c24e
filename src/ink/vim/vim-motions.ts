import { type Bordered, borderAfter, borderBefore } from '../prompt/borders.ts'
import { matchingBracket } from './brackets.ts'
import {
  endOfLine,
  firstNonBlank,
  isBlank,
  lastCharacter,
  lineBelow,
  startOfLine,
  stepInLine,
} from './lines-at.ts'
import type { Find } from './vim.ts'
import type { Motion, Operator } from './vim-command.ts'
import { type WordWalk, wordEnds, wordEndsBack, wordsBack, wordsForward } from './vim-words.ts'

/** The target of a motion. */
export interface Moved {
  readonly to: number
  /** The range of an operator: up to before that character, with it, or whole lines. */
  readonly reach: 'before' | 'with' | 'lines'
  /** Set where later moves up and down stay at the end of the line. */
  readonly staysAtEnd?: boolean
  readonly find?: Find
}

export interface Moving {
  readonly count: number | undefined
  /** The operator that the motion is for. */
  readonly operator: Operator | undefined
  readonly find: Find | undefined
  /** Whether text is being selected. */
  readonly isVisual?: boolean
}

/** Returns where a motion leads from an index; `undefined` if it leads nowhere. */
export function moveFrom(
  text: Bordered,
  from: number,
  { name, character }: Motion,
  moving: Moving,
): Moved | undefined {
  if (/^[fFtT]$/.test(name)) return findFrom(text, from, readFind(name, character), moving, false)
  return moves[name]?.(text, from, moving)
}

type Move = (text: Bordered, from: number, moving: Moving) => Moved | undefined

const moves: Readonly<Record<string, Move>> = {
  h: (text, from, { count = 1 }) => ({ to: stepInLine(text, from, -count), reach: 'before' }),
  l: (text, from, { count = 1, operator, isVisual = false }) => ({
    to: stepInLine(text, from, count, isVisual || operator !== undefined),
    reach: 'before',
  }),
  ' ': (text, from, moving) => moves['l']?.(text, from, moving),
  j: ({ text }, from, { count = 1 }) => otherLine(text, from, count),
  k: ({ text }, from, { count = 1 }) => otherLine(text, from, -count),
  gj: (text, from, moving) => moves['j']?.(text, from, moving),
  gk: (text, from, moving) => moves['k']?.(text, from, moving),
  w: (text, from, moving) => forwardWord(text, from, moving, false),
  W: (text, from, moving) => forwardWord(text, from, moving, true),
  b: (text, from, { count = 1 }) => back(wordsBack(text, from, { count, isBig: false }), 'before'),
  B: (text, from, { count = 1 }) => back(wordsBack(text, from, { count, isBig: true }), 'before'),
  e: (text, from, { count = 1 }) => toEnd(text, wordEnds(text, from, { count, isBig: false }, false)),
  E: (text, from, { count = 1 }) => toEnd(text, wordEnds(text, from, { count, isBig: true }, false)),
  ge: (text, from, { count = 1 }) => back(wordEndsBack(text, from, { count, isBig: false }), 'with'),
  gE: (text, from, { count = 1 }) => back(wordEndsBack(text, from, { count, isBig: true }), 'with'),
  0: ({ text }, from) => ({ to: startOfLine(text, from), reach: 'before' }),
  '^': (text, from) => ({ to: firstNonBlank(text, from), reach: 'before' }),
  $: (text, from, { count = 1 }) => ({
    ...lastOf(text, lineBelow(text.text, from, count - 1)),
    staysAtEnd: true,
  }),
  g_: (text, from, { count = 1 }) => lastInk(text, lineBelow(text.text, from, count - 1)),
  gg: (text, _, { count = 1 }) => lineNumber(text, count),
  G: (text, _, { count }) => lineNumber(text, count),
  '}': (text, from, { count = 1 }) => paragraph(text, from, count, 1),
  '{': (text, from, { count = 1 }) => paragraph(text, from, count, -1),
  '%': (text, from) => {
    const to = matchingBracket(text, from)
    return to === undefined ? undefined : { to, reach: 'with' }
  },
  ';': (text, from, moving) => moving.find && findFrom(text, from, moving.find, moving, true),
  ',': (text, from, moving) => moving.find && findFrom(text, from, turned(moving.find), moving, true),
}

function otherLine(text: string, from: number, by: number): Moved | undefined {
  const line = startOfLine(text, from)
  const found = lineBelow(text, from, by)
  if (found === line) return undefined
  return { to: Math.min(found + from - line, endOfLine(text, found)), reach: 'lines' }
}

function forwardWord(
  text: Bordered,
  from: number,
  { count = 1, operator }: Moving,
  isBig: boolean,
): Moved | undefined {
  const step = { count, isBig }
  // A changed word keeps the blanks behind it.
  const isChange = operator === 'c' && !/^[ \t\n]?$/.test(text.text.charAt(from))
  if (isChange) return toEnd(text, wordEnds(text, from, step, true))
  const { at } = wordsForward(text, from, step, operator !== undefined)
  return operator === undefined && at === from ? undefined : { to: at, reach: 'before' }
}

function back({ at, isDone }: WordWalk, reach: Moved['reach']): Moved | undefined {
  return isDone ? { to: at, reach } : undefined
}

/** At the end of the text, the last character is meant. */
function toEnd(text: Bordered, { at }: WordWalk): Moved {
  const isPast = at === text.text.length && at !== startOfLine(text.text, at)
  return { to: isPast ? borderBefore(text, at) : at, reach: 'with' }
}

function lastOf(text: Bordered, index: number): Moved {
  const isEmpty = startOfLine(text.text, index) === endOfLine(text.text, index)
  return { to: lastCharacter(text, index), reach: isEmpty ? 'before' : 'with' }
}

function lastInk(text: Bordered, index: number): Moved {
  const start = startOfLine(text.text, index)
  let at = endOfLine(text.text, index)
  while (at > start && isBlank(text.text, at - 1)) at--
  return at === start ? { to: start, reach: 'before' } : { to: borderBefore(text, at), reach: 'with' }
}

function lineNumber(text: Bordered, number: number | undefined): Moved {
  const start =
    number === undefined ? startOfLine(text.text, text.text.length) : lineBelow(text.text, 0, number - 1)
  return { to: firstNonBlank(text, start), reach: 'lines' }
}

/** Moves to the next line without any character behind, or before, some text. */
function paragraph(text: Bordered, from: number, count: number, by: 1 | -1): Moved | undefined {
  let line = startOfLine(text.text, from)
  for (let left = count; left > 0; left--) {
    let hasText = false
    for (let isFirst = true; ; isFirst = false) {
      const isEmpty = endOfLine(text.text, line) === line
      hasText ||= !isEmpty
      if (!isFirst && hasText && isEmpty) break
      const next = lineBelow(text.text, line, by)
      if (next === line) {
        if (left > 1) return undefined
        return by < 0 ? { to: line, reach: 'before' } : lastOf(text, line)
      }
      line = next
    }
  }
  return { to: line, reach: 'before' }
}

function readFind(name: string, character: string): Find {
  return { name: name === 'F' || name === 't' || name === 'T' ? name : 'f', character }
}

const opposites: Readonly<Record<Find['name'], Find['name']>> = { f: 'F', F: 'f', t: 'T', T: 't' }

function turned({ name, character }: Find): Find {
  return { name: opposites[name], character }
}

/** Finds a character in the line. Searched again, `t` and `T` pass the one that they stand before. */
function findFrom(
  bordered: Bordered,
  from: number,
  find: Find,
  { count = 1 }: Moving,
  isAgain: boolean,
): Moved | undefined {
  const { text } = bordered
  const { name, character } = find
  const isForward = name === 'f' || name === 't'
  const isTill = name === 't' || name === 'T'
  const [start, end] = [startOfLine(text, from), endOfLine(text, from)]
  const next = (at: number) => (isForward ? borderAfter(bordered, at) : borderBefore(bordered, at))
  const isIn = (at: number) => (isForward ? at < end : at >= start)
  let left = count
  let before = from
  if (isForward ? from >= end : from <= start) return undefined
  for (let at = next(from), isFirst = true; isIn(at); isFirst = false) {
    const isMatch = text.slice(at, borderAfter(bordered, at)) === character
    const isPassed = isTill && isAgain && isFirst && count === 1
    if (isMatch && !isPassed && --left === 0) {
      const to = isTill ? before : at
      // Later searches have the direction of the one that was typed.
      const kept = isAgain ? {} : { find }
      return { to, reach: isForward ? 'with' : 'before', ...kept }
    }
    before = at
    if (!isForward && at === start) return undefined
    at = next(at)
  }
  return undefined
}
