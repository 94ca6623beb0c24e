import type { Key } from './key.ts'
import { pastedText } from './keys.ts'

/** Time within which keys belong together: nobody types so fast, and a terminal that pastes seldom pauses longer. */
export const burstMs = 50

/**
 * Finds lines that a terminal pastes without marks, as dvtm does: an Enter that more text follows at once is a line end. Keys that may be
 * part of such lines are held until it is known.
 */
export class PastedLines {
  #held: readonly Key[] = []
  /** Monotonic time of the last text. */
  #textAt = Number.NEGATIVE_INFINITY

  /** Takes keys that came together and returns those that are known by now. */
  take(keys: readonly Key[], now: number): readonly Key[] {
    const follows = now - this.#textAt < burstMs
    const all = [...this.#held, ...keys]
    const start = all.findLastIndex((key) => !isTyped(key)) + 1
    const last = all.slice(start)
    if (last.some(isText)) this.#textAt = now
    const isOpen = last.some(isEnter) && (follows || last.some(isText))
    this.#held = isOpen ? last : []
    return isOpen ? joined(all.slice(0, start)) : joined(all)
  }

  /** Whether keys are held. */
  get isHolding(): boolean {
    return this.#held.length > 0
  }

  /** Returns the held keys: nothing has followed them. */
  flush(): readonly Key[] {
    const held = this.#held
    this.#held = []
    return joined(held)
  }
}

/** Makes one paste of each run of text with an Enter in it. */
function joined(keys: readonly Key[]): readonly Key[] {
  const result: Key[] = []
  for (let at = 0; at < keys.length; ) {
    const length = keys.slice(at).findIndex((key) => !isTyped(key))
    const run = keys.slice(at, length < 0 ? undefined : at + length)
    result.push(...asPaste(run), ...keys.slice(at + run.length, at + run.length + 1))
    at += run.length + 1
  }
  return result
}

function asPaste(run: readonly Key[]): readonly Key[] {
  const last = run.findLastIndex(isText)
  const enter = run.findIndex(isEnter)
  if (enter < 0 || enter > last) return run
  // What a terminal sends twice for each line end is one Enter behind the last line as well.
  const after = run.slice(last + 1)
  const text = pastedText(run.map(rawText).join(''))
  return [{ type: 'paste', text: text.replace(/\n+$/, '') }, ...after.slice(0, 1)]
}

function rawText(key: Key): string {
  if (key.type !== 'press') return key.text
  return key.name === 'enter' ? '\r' : '\n'
}

function isText(key: Key): boolean {
  return key.type === 'text'
}

function isEnter(key: Key): boolean {
  return key.type === 'press' && key.name === 'enter'
}

/** Whether a key may be part of pasted lines: text and line ends. */
function isTyped(key: Key): boolean {
  return isText(key) || isEnter(key) || (key.type === 'press' && key.name === 'ctrl+j')
}
