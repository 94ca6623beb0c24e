import { TextDecoder } from 'node:util'
import { readChunks } from '../../files/reading/chunks.ts'
import type { LineWindow } from './line-excerpt.ts'

type LinePart = Pick<LineWindow, 'number' | 'from' | 'to'>

/**
 * Reads parts of a file's lines in order, numbered as ripgrep does. Opens the real path once, without following links. Throws what
 * `readChunks` throws. The owner must close it.
 */
export class FileLines {
  readonly path: string
  readonly #chunks: AsyncGenerator<Uint8Array>
  #rest: Buffer = Buffer.alloc(0)
  /** The number of the line that `#rest` continues, and how many of its bytes were already passed. */
  #number = 1
  #passed = 0

  constructor(path: string, signal: AbortSignal) {
    this.path = path
    this.#chunks = asUtf8(readChunks(path, { signal, followLinks: false }))
  }

  /**
   * Returns part of a line, synchronously if it was already read. `undefined`: no such line, or already passed. The bytes are valid until
   * the next call.
   */
  part(wanted: LinePart): Buffer | undefined | Promise<Buffer | undefined> {
    if (this.#number > wanted.number) return undefined
    while (this.#number < wanted.number && this.#rest.length > 0) this.#pass(this.#rest.indexOf(10))
    const end = this.#number === wanted.number && this.#passed === 0 ? this.#rest.indexOf(10) : -1
    if (end === -1) return this.#read(wanted)
    const text = this.#rest.subarray(0, end)
    this.#pass(end)
    return text.subarray(wanted.from, wanted.to)
  }

  async #read({ number, from, to }: LinePart): Promise<Buffer | undefined> {
    while (this.#number < number) {
      if (this.#rest.length === 0 && !(await this.#pull())) return undefined
      this.#pass(this.#rest.indexOf(10))
    }
    if (this.#number > number || this.#passed > 0) return undefined
    const kept: Buffer[] = []
    while (this.#number === number && this.#passed < to) {
      if (this.#rest.length === 0 && !(await this.#pull())) break
      const end = this.#rest.indexOf(10)
      const text = end === -1 ? this.#rest : this.#rest.subarray(0, end)
      kept.push(Buffer.from(text.subarray(Math.max(0, from - this.#passed), to - this.#passed)))
      this.#pass(end)
    }
    // Text after the last newline counts as a line unless it is empty.
    return kept.length === 0 ? undefined : Buffer.concat(kept)
  }

  async close(): Promise<void> {
    await this.#chunks.return(undefined)
  }

  /** Skips past the next newline, or past everything read if there is none. */
  #pass(end: number): void {
    if (end === -1) {
      this.#passed += this.#rest.length
      this.#rest = Buffer.alloc(0)
    } else {
      this.#number++
      this.#passed = 0
      this.#rest = this.#rest.subarray(end + 1)
    }
  }

  async #pull(): Promise<boolean> {
    const step = await this.#chunks.next()
    if (step.done === true) return false
    this.#rest = Buffer.from(step.value.buffer, step.value.byteOffset, step.value.byteLength)
    return true
  }
}

/** Excludes the byte order mark, which UTF-16 needs to be recognised. */
async function* asUtf8(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | undefined
  let isFirst = true
  for await (const chunk of chunks) {
    const mark = isFirst ? Buffer.from(chunk.subarray(0, 3)).toString('hex') : ''
    isFirst = false
    if (mark.startsWith('fffe')) decoder = new TextDecoder('utf-16le')
    if (mark.startsWith('feff')) decoder = new TextDecoder('utf-16be')
    if (decoder === undefined) yield mark === 'efbbbf' ? chunk.subarray(3) : chunk
    else yield Buffer.from(decoder.decode(chunk, { stream: true }))
  }
  if (decoder !== undefined) yield Buffer.from(decoder.decode())
}
