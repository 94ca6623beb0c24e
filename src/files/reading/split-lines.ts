export interface TextLine {
  /** Counted from 1. */
  readonly number: number
  /** Byte offset in the file. */
  readonly start: number
  /** Excludes the newline. Valid until the next line is pulled. */
  readonly bytes: Buffer
  /** Whether it ends in a newline. */
  readonly whole: boolean
}

const newline = 0x0a

/**
 * Splits chunks of bytes into lines. Holds at most the longest line in memory, of which it keeps the first `maxBytes`. A chunk may be
 * overwritten once the next is pulled. Default: no limit.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<TextLine, undefined, undefined> {
  const line = new BegunLine(maxBytes)
  let number = 1
  let start = 0
  for await (const { buffer, byteOffset, byteLength } of chunks) {
    const chunk = Buffer.from(buffer, byteOffset, byteLength)
    let from = 0
    for (let to = chunk.indexOf(newline); to !== -1; to = chunk.indexOf(newline, from)) {
      const { bytes, size } = line.end(chunk.subarray(from, to))
      yield { number, start, bytes, whole: true }
      number += 1
      start += size + 1
      from = to + 1
    }
    line.add(chunk.subarray(from))
  }
  const { bytes, size } = line.end(Buffer.alloc(0))
  if (size > 0) yield { number, start, bytes, whole: false }
}

/** The parts of a line that spans chunks. */
class BegunLine {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Adds a part, copied as the next chunk may overwrite it. */
  add(part: Buffer): void {
    if (part.length === 0) return
    if (this.#size < this.#maxBytes) this.#parts.push(Buffer.from(this.#cut(part)))
    this.#size += part.length
  }

  /** Returns the line with its last part, and its size before it was cut. Begins the next line. */
  end(part: Buffer): { readonly bytes: Buffer; readonly size: number } {
    const rest = this.#cut(part)
    const bytes = this.#parts.length === 0 ? rest : Buffer.concat([...this.#parts, rest])
    const size = this.#size + part.length
    this.#parts = []
    this.#size = 0
    return { bytes, size }
  }

  #cut(part: Buffer): Buffer {
    return part.subarray(0, Math.max(0, this.#maxBytes - this.#size))
  }
}
