import { cutText } from '../../characters/cut.ts'
import type { FileRange, LineRange } from '../../machine/artifact.ts'

/**
 * Extracts a range of lines from chunks of bytes. Lines end in LF or CRLF; text after the last LF counts as a line. The range bounds
 * memory: long lines are cut while reading.
 */
export class LineCollector {
  readonly #range: LineRange
  readonly #maxBytes: number
  readonly #lines: string[] = []
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #line: Buffer[] = []
  #size = 0
  #number = 1
  #more = false

  constructor(range: LineRange) {
    this.#range = range
    // A UTF-16 unit takes at most three bytes of UTF-8. One more byte for a CR.
    this.#maxBytes = range.maxLineLength * 3 + 1
  }

  /** Takes the next chunk. Returns false once the range is complete. */
  push(chunk: Uint8Array): boolean {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let from = 0
    while (from < bytes.length) {
      if (this.#number > this.#range.end) {
        this.#more = true
        return false
      }
      const newline = bytes.indexOf(10, from)
      this.#keep(bytes.subarray(from, newline === -1 ? bytes.length : newline))
      if (newline === -1) return true
      this.#endLine()
      from = newline + 1
    }
    return true
  }

  finish(): FileRange {
    if (this.#size > 0) this.#endLine()
    const range = { lines: this.#lines, more: this.#more }
    return this.#more ? range : { ...range, total: this.#number - 1 }
  }

  #keep(part: Buffer): void {
    const room = this.#maxBytes - this.#size
    if (this.#number >= this.#range.start && room > 0) this.#line.push(Buffer.from(part.subarray(0, room)))
    this.#size += part.length
  }

  #endLine(): void {
    if (this.#number >= this.#range.start) {
      const text = this.#decoder.decode(Buffer.concat(this.#line))
      this.#lines.push(cutText(text.replace(/\r$/, ''), this.#range.maxLineLength))
    }
    this.#line = []
    this.#size = 0
    this.#number++
  }
}
