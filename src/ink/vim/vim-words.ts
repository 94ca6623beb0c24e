import { type Bordered, borderAfter, borderBefore } from '../prompt/borders.ts'
import { kindAt } from '../prompt/words.ts'

/** The position of a walk through words. `isDone`: it took all its steps before the text ended. */
export interface WordWalk {
  readonly at: number
  readonly isDone: boolean
}

export interface WordStep {
  readonly count: number
  /** Whether words end at blanks only, as those of `W` do. */
  readonly isBig: boolean
}

/** A place in a text. Each line has one more place than characters: the one behind its last character. */
class Walker {
  readonly #text: Bordered
  readonly #isBig: boolean
  at: number

  constructor(text: Bordered, at: number, isBig: boolean) {
    this.#text = text
    this.at = at
    this.#isBig = isBig
  }

  /** 0 for blanks and the end of a line; places of one word have one kind. */
  get kind(): number {
    const { text } = this.#text
    const unit = text[this.at]
    if (unit === undefined || unit === ' ' || unit === '\t' || unit === '\n') return 0
    const kind = kindAt(this.#text, this.at)
    return this.#isBig ? Math.min(1, kind) : kind
  }

  get isAtEmptyLine(): boolean {
    const { text } = this.#text
    return (this.at === 0 || text[this.at - 1] === '\n') && (text[this.at] ?? '\n') === '\n'
  }

  /** Whether it is at the end of a line. */
  get isAtEnd(): boolean {
    return (this.#text.text[this.at] ?? '\n') === '\n'
  }

  /** Returns `end` if there is no next place, `line` if it is of another line or the end of this one. */
  forward(): 'end' | 'line' | 'character' {
    const { text } = this.#text
    if (this.at >= text.length) return 'end'
    const wasBreak = text[this.at] === '\n'
    this.at = wasBreak ? this.at + 1 : borderAfter(this.#text, this.at)
    return wasBreak || this.isAtEnd ? 'line' : 'character'
  }

  /** Returns whether there was a place before. */
  back(): boolean {
    if (this.at === 0) return false
    const { text } = this.#text
    this.at = text[this.at - 1] === '\n' ? this.at - 1 : borderBefore(this.#text, this.at)
    return true
  }

  get isOnLastLine(): boolean {
    return !this.#text.text.includes('\n', this.at)
  }
}

/** Walks to the starts of words. `staysInLine`: the last step ends behind the last word of its line, as for operators. */
export function wordsForward(
  text: Bordered,
  from: number,
  { count, isBig }: WordStep,
  staysInLine: boolean,
): WordWalk {
  const walker = new Walker(text, from, isBig)
  for (let left = count; left > 0; left--) {
    const stops = staysInLine && left === 1
    const { kind, isOnLastLine } = walker
    const step = walker.forward()
    if (step === 'end' || (step === 'line' && isOnLastLine)) return { at: walker.at, isDone: false }
    if (step === 'line' && stops) return { at: walker.at, isDone: true }
    while (kind !== 0 && walker.kind === kind) {
      const next = walker.forward()
      if (next === 'end' || (next === 'line' && stops)) return { at: walker.at, isDone: true }
    }
    while (walker.kind === 0 && !walker.isAtEmptyLine) {
      const wasOnLastLine = walker.isOnLastLine
      const next = walker.forward()
      if (next === 'end' || (next === 'line' && wasOnLastLine)) return { at: walker.at, isDone: true }
    }
  }
  return { at: walker.at, isDone: true }
}

/** Walks back to the starts of words. */
export function wordsBack(text: Bordered, from: number, { count, isBig }: WordStep): WordWalk {
  const walker = new Walker(text, from, isBig)
  for (let left = count; left > 0; left--) {
    if (!walker.back()) return { at: 0, isDone: false }
    while (walker.kind === 0 && !walker.isAtEmptyLine) if (!walker.back()) return { at: 0, isDone: true }
    const { kind } = walker
    if (kind === 0) continue
    while (walker.kind === kind) if (!walker.back()) return { at: 0, isDone: true }
    walker.forward()
  }
  return { at: walker.at, isDone: true }
}

/** Walks to the ends of words. `mayStay`: the end of the word that it begins at counts as the first one. */
export function wordEnds(
  text: Bordered,
  from: number,
  { count, isBig }: WordStep,
  mayStay: boolean,
): WordWalk {
  const walker = new Walker(text, from, isBig)
  for (let left = count; left > 0; left--) {
    const first = walker.kind
    const isFirst = left === count
    if (walker.forward() === 'end') return { at: walker.at, isDone: false }
    if (!(walker.kind === first && first !== 0)) {
      if (mayStay && isFirst && first !== 0) {
        walker.back()
        continue
      }
      while (walker.kind === 0) if (walker.forward() === 'end') return { at: walker.at, isDone: false }
    }
    const { kind } = walker
    while (walker.kind === kind) if (walker.forward() === 'end') break
    walker.back()
  }
  return { at: walker.at, isDone: true }
}

/** Walks back to the ends of words. */
export function wordEndsBack(text: Bordered, from: number, { count, isBig }: WordStep): WordWalk {
  const walker = new Walker(text, from, isBig)
  for (let left = count; left > 0; left--) {
    const { kind } = walker
    if (!walker.back()) return { at: 0, isDone: false }
    while (kind !== 0 && walker.kind === kind) if (!walker.back()) return { at: 0, isDone: true }
    while (walker.kind === 0 && !walker.isAtEmptyLine) if (!walker.back()) return { at: 0, isDone: true }
  }
  return { at: walker.at, isDone: true }
}
