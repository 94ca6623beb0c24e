import type { CommandOutput } from '../command.ts'
import type { Spill } from '../files/spill.ts'
import { present } from '../present.ts'
import { cutEnds } from './cut-ends.ts'
import { limits } from './limits.ts'
import { screenText } from './screen-text.ts'

/** Characters of the beginning and the end that are kept in memory as they came, before they are cut to size. */
const headSize = 64 * 1024
const tailSize = 192 * 1024
/** Small pieces are joined up to this size. */
const pieceSize = 8 * 1024

export interface LoggedOutput {
  /** For the model: the whole output, or its beginning and end with a line between that says what is missing. */
  readonly text: string
  readonly bytes: number
  /** The file that has all of it, where it was too long for the model. */
  readonly spill?: string
}

/** Takes a command's output in, in bounded memory. Owns the spill file: close it. */
export class CommandLog {
  readonly #openSpill: () => Promise<Spill>
  readonly #decoders = {
    stdout: new TextDecoder('utf-8', { ignoreBOM: true }),
    stderr: new TextDecoder('utf-8', { ignoreBOM: true }),
  }
  readonly #head: string[] = []
  readonly #tail: string[] = []
  #headLength = 0
  #tailLength = 0
  #dropped = false
  #binary = false
  #bytes = 0
  #textBytes = 0
  #newlines = 0
  /** All there is, until it is too much and goes to the spill. */
  #all: Uint8Array[] = []
  #spill: Spill | undefined
  #spilled = 0

  constructor(openSpill: () => Promise<Spill>) {
    this.#openSpill = openSpill
  }

  /** Gives the piece as text; a character that is not complete yet comes with the next piece. */
  async push({ stream, chunk }: CommandOutput): Promise<string> {
    const text = this.#decoders[stream].decode(chunk, { stream: true })
    this.#bytes += chunk.length
    this.#textBytes += Buffer.byteLength(text)
    this.#newlines += countNewlines(chunk)
    this.#binary ||= chunk.includes(0)
    await this.#save(chunk)
    this.#keep(text)
    return text
  }

  /** What the model gets. */
  finish(): LoggedOutput {
    for (const decoder of Object.values(this.#decoders)) this.#keep(decoder.decode())
    return { text: this.#text(), bytes: this.#bytes, ...present({ spill: this.#spill?.path }) }
  }

  async close(): Promise<void> {
    await this.#spill?.close()
  }

  #text(): string {
    if (this.#binary) return `[binary ${this.#bytes} bytes${this.#whereabouts()}]`
    const head = this.#head.join('')
    const tail = this.#tail.join('')
    const ended = (tail || head).endsWith('\n')
    const lines = this.#newlines + (ended ? 0 : 1)
    const ends = this.#dropped
      ? { head: screenText(head), tail: screenText(withoutEnd(tail.slice(tail.indexOf('\n') + 1))) }
      : { whole: screenText(withoutEnd(head + tail)) }
    return cutEnds(ends, (shown) => {
      const missing = lines > shown ? `${lines - shown} lines` : 'a part'
      return `[… ${missing} left out of ${this.#bytes} bytes${this.#whereabouts()} …]`
    })
  }

  #whereabouts(): string {
    if (this.#spill === undefined) return ''
    const what = this.#spilled < this.#bytes ? `the first ${this.#spilled} are` : 'all of it is'
    return `; ${what} in ${this.#spill.path}`
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

  async #save(chunk: Uint8Array): Promise<void> {
    this.#all.push(chunk)
    if (this.#textBytes <= limits.bytes && this.#newlines <= limits.lines) return
    this.#spill ??= await this.#openSpill()
    for (const part of this.#all) {
      const kept = part.subarray(0, limits.spillBytes - this.#spilled)
      if (kept.length > 0) await this.#spill.write(kept)
      this.#spilled += kept.length
    }
    this.#all = []
  }
}

function countNewlines(bytes: Uint8Array): number {
  let count = 0
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === 10) count++
  return count
}

const withoutEnd = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text)
