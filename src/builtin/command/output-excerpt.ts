import type { LoggedOutput } from '../../machine/running-command.ts'
import { cutEnds } from './cut-ends.ts'
import { screenText } from './screen-text.ts'

/** Characters of the beginning and the end kept raw in memory before they are cut to size. */
const headSize = 64 * 1024
const tailSize = 192 * 1024
/** Joins small pieces up to this size. */
const pieceSize = 8 * 1024

/** The beginning and the end of an output, in bounded memory. */
export class OutputExcerpt {
  readonly #head: string[] = []
  readonly #tail: string[] = []
  #headLength = 0
  #tailLength = 0
  #dropped = false
  #nuls = 0
  #broken = false
  #bytes = 0
  #newlines = 0

  get bytes(): number {
    return this.#bytes
  }

  /** Adds a chunk, as bytes and as decoded text (which may hold back a partial character). Returns its number of newlines. */
  add(chunk: Uint8Array, text: string): number {
    const { newlines, nuls } = count(chunk)
    this.#bytes += chunk.length
    this.#newlines += newlines
    this.#nuls += nuls
    this.#broken ||= text.includes('\ufffd')
    this.#keep(text)
    return newlines
  }

  /** Returns the text for the model. `whereabouts` is shown if something is left out, and names the file with the rest. */
  read(whereabouts: string): Pick<LoggedOutput, 'text' | 'lines'> {
    if (this.#isBinary) return { text: `[binary ${this.#bytes} bytes${whereabouts}]` }
    const head = this.#head.join('')
    const tail = this.#tail.join('')
    const ended = (tail || head).endsWith('\n')
    const lines = this.#newlines + (ended ? 0 : 1)
    const ends = this.#dropped
      ? { head: screenText(wholeStates(head)), tail: screenText(withoutEnd(fromWhole(tail))) }
      : { whole: screenText(withoutEnd(head + tail)) }
    const { text, isCut } = cutEnds(ends, (shown) => {
      const missing = lines > shown ? `${lines - shown} lines` : 'a part'
      return `[… ${missing} left out of ${this.#bytes} bytes${whereabouts} …]`
    })
    return { text, ...(isCut && { lines }) }
  }

  /** Lists of names that end in NUL (`find -print0`) count as text. */
  get #isBinary(): boolean {
    return this.#nuls > 0 && (this.#broken || this.#nuls > this.#bytes / 3)
  }

  #keep(text: string): void {
    if (this.#headLength < headSize) {
      this.#head.push(text)
      this.#headLength += text.length
      return
    }
    const last = this.#tail.length - 1
    const piece = this.#tail[last]
    if (piece !== undefined && piece.length < pieceSize) this.#tail[last] = piece + text
    else this.#tail.push(text)
    this.#tailLength += text.length
    while (this.#tailLength - (this.#tail[0]?.length ?? 0) > tailSize) {
      this.#tailLength -= this.#tail.shift()?.length ?? 0
      this.#dropped = true
    }
  }
}

function count(bytes: Uint8Array) {
  let [newlines, nuls] = [0, 0]
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === 10) newlines++
    else if (bytes[i] === 0) nuls++
  }
  return { newlines, nuls }
}

/** Drops a progress bar's unfinished state from the end of the beginning. */
function wholeStates(head: string): string {
  const last = head.lastIndexOf('\n') + 1
  return /\r(?!$)/.test(head.slice(last)) ? head.slice(0, last) : head
}

/** Drops the partial line at the start of the end, but keeps text written over that line. */
function fromWhole(tail: string): string {
  const end = tail.indexOf('\n') + 1
  const over = tail.search(/\r(?!\n)/)
  return tail.slice(over >= 0 && (end === 0 || over < end) ? over + 1 : end)
}

const withoutEnd = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text)
