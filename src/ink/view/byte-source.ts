import { printable } from '../../terminal/printable.ts'
import { fitting } from '../rows/columns.ts'
import { type Line, line, lineText, type Style, wrap } from '../rows/line.ts'
import { type Counted, matcher, type Source, type ViewSearch } from './source.ts'

/** UTF-8 text that is read as needed, such as a file. */
export interface Bytes {
  readonly size: number
  /** Returns the bytes from `at` on: `length` of them, or fewer at the end. */
  read(at: number, length: number): Uint8Array
}

export interface ByteSourceOptions {
  readonly style?: Style
  /** Breaks rows between words. Default: at the edge of the screen, as terminals do. */
  readonly isProse?: boolean
}

/** Longer lines are broken at multiples of this number of bytes, which bounds the cost of a line. */
const pieceLength = 4_096
/** Bytes that a search reads at once, and after which it pauses. */
const blockLength = 64 * 1_024
const pauseAfter = 1024 * 1_024
/** Largest text whose lines are counted. */
const countedLength = 4 * 1_024 * 1_024
/** A character takes at most four bytes. */
const longestTail = 3
const lineFeed = 10

/** Creates the bytes of a text in memory. */
export function bytesOf(text: string): Bytes {
  const bytes = new TextEncoder().encode(text)
  return { size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) }
}

/** Shows bytes as text. Its places are offsets in bytes. Cleans what it shows. */
export class ByteSource implements Source {
  readonly #bytes: Bytes
  readonly #options: ByteSourceOptions
  readonly #decoder = new TextDecoder()
  /** Line ends before each block, then those of all. */
  #counts: readonly number[] | undefined

  constructor(bytes: Bytes, options: ByteSourceOptions = {}) {
    this.#bytes = bytes
    this.#options = options
  }

  end(): number {
    return this.#bytes.size
  }

  next(at: number): number {
    const { size } = this.#bytes
    const from = at - (at % pieceLength)
    const edge = from + pieceLength
    const window = this.#bytes.read(from, 2 * pieceLength)
    const found = window.indexOf(lineFeed, at - from)
    const after = found < 0 ? undefined : from + found + 1
    if (after !== undefined && after <= edge) return after
    if (window.subarray(0, pieceLength).indexOf(lineFeed) < 0) return Math.min(edge, size)
    return after ?? Math.min(edge + pieceLength, size)
  }

  previous(at: number): number {
    const last = at - 1
    const edge = last - (last % pieceLength)
    const from = Math.max(0, edge - pieceLength)
    const window = this.#bytes.read(from, last - from)
    const afterLine = window.lastIndexOf(lineFeed) + 1
    const isEdge = edge === 0 || window.subarray(0, edge - from).indexOf(lineFeed) < 0
    const begun = afterLine === 0 ? 0 : from + afterLine
    return Math.max(0, isEdge ? Math.max(edge, begun) : begun)
  }

  rows(at: number, width: number): readonly Line[] {
    const text = lineText(line(shown(this.#text(at))))
    if (this.#options.isProse === true) return wrap(line(text, this.#options.style), width)
    const rows: Line[] = []
    let start = 0
    do {
      const end = Math.max(start + 1, fitting(text, start, width))
      rows.push(line(text.slice(start, end), this.#options.style))
      start = end
    } while (start < text.length)
    return rows
  }

  *find({ words, from, isBackward }: ViewSearch): Generator<undefined, number | undefined, undefined> {
    const matches = matcher(words)
    const overlap = 4 * words.length
    let read = 0
    for (
      let start = isBackward ? from - blockLength : from;
      isBackward ? start > -blockLength : start < this.end();
    ) {
      const begin = Math.max(0, start)
      const end = Math.min(this.end(), start + blockLength + (isBackward ? 0 : overlap))
      if (matches(this.#decoder.decode(this.#bytes.read(begin, end - begin + (isBackward ? overlap : 0))))) {
        const found = this.#findLine(matches, {
          begin,
          end: isBackward ? Math.min(end, from) : end,
          from,
          isBackward,
        })
        if (found !== undefined) return found
      }
      start += isBackward ? -blockLength : blockLength
      read += blockLength
      if (read % pauseAfter === 0) yield
    }
    return undefined
  }

  count(at: number): Counted | undefined {
    const { size } = this.#bytes
    if (size > countedLength) return undefined
    this.#counts ??= this.#countAll()
    const block = Math.floor(at / blockLength)
    const begin = block * blockLength
    const before = (this.#counts[block] ?? 0) + lineEnds(this.#bytes.read(begin, at - begin))
    const isOpen = size > 0 && this.#bytes.read(size - 1, 1)[0] !== lineFeed
    return { number: before + 1, total: (this.#counts.at(-1) ?? 0) + (isOpen ? 1 : 0) }
  }

  #countAll(): readonly number[] {
    const counts = [0]
    for (let at = 0; at < this.#bytes.size; at += blockLength)
      counts.push((counts.at(-1) ?? 0) + lineEnds(this.#bytes.read(at, blockLength)))
    return counts
  }

  /** Finds the first line in a block that matches; backward, the last one before `from`. */
  #findLine(
    matches: (text: string) => boolean,
    { begin, end, from, isBackward }: { begin: number; end: number; from: number; isBackward: boolean },
  ): number | undefined {
    let found: number | undefined
    const first = begin === 0 || begin === from ? begin : this.previous(begin + 1)
    for (let at = first; at < end; at = this.next(at)) {
      if (isBackward ? at >= from : at < from) continue
      if (!matches(this.#text(at))) continue
      found = at
      if (!isBackward) break
    }
    return found
  }

  /** Returns the text of a line. A character that a break between pieces splits belongs to the piece before. */
  #text(at: number): string {
    const next = this.next(at)
    const bytes = this.#bytes.read(at, next - at + longestTail)
    const length = next - at
    const start = isEdge(at) ? tailLength(bytes, 0) : 0
    const end = isEdge(next) && bytes[length - 1] !== lineFeed ? length + tailLength(bytes, length) : length
    return this.#decoder.decode(bytes.subarray(start, end)).replace(/\r?\n$/, '')
  }
}

function isEdge(at: number): boolean {
  return at > 0 && at % pieceLength === 0
}

/** Counts the bytes from `at` on that continue a character. */
function tailLength(bytes: Uint8Array, at: number): number {
  let length = 0
  while (length < longestTail && ((bytes[at + length] ?? 0) & 0xc0) === 0x80) length++
  return length
}

/** Returns a line as a terminal shows it in the end: what follows the last carriage return has overwritten the rest. */
function shown(text: string): string {
  return printable(text.slice(text.lastIndexOf('\r', text.length - 2) + 1))
}

function lineEnds(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) count++
  return count
}
