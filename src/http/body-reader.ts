import type { Readable } from 'node:stream'
import type { Clock } from '../clock.ts'

/** Bytes that are worth a read of their own. */
const enough = 32 * 1024
/** Bytes that may wait for their reader before the server has to. */
const most = 256 * 1024
/** Milliseconds for which the bytes of a fast stream are gathered: a quarter of the time between two frames of the screen. */
const gatherMs = 20
/** Pieces, and milliseconds within which a fast stream sends as many: 80 words a second. */
const fastPieces = 32
const fastMs = 400

type Timing = Pick<Clock, 'monotonic' | 'after'>

/**
 * Reads a body in pieces. A server that sends each word by itself, hundreds a second, costs more in reads than in words: of such a stream
 * each piece is what came within 20 ms. Others are handed on as they come.
 */
export class BodyReader {
  readonly #body: Readable
  readonly #clock: Timing | undefined
  #waiting: Uint8Array[] = []
  #size = 0
  #end: { readonly error: Error | undefined } | undefined
  #wake: () => void = () => undefined
  /** Bytes that wake the reader. */
  #wanted = 1
  readonly #unwatch: () => void
  #isFast = false
  /** Pieces since the time at which they were last counted. */
  #pieces = 0
  #countedAt: number

  /** Without a clock, all pieces are handed on as they come. */
  constructor(body: Readable, clock?: Timing) {
    this.#body = body
    this.#clock = clock
    this.#countedAt = clock?.monotonic() ?? 0
    const { finished } = process.getBuiltinModule('node:stream')
    this.#unwatch = finished(body, { writable: false }, (error) => {
      this.#end = { error: error ?? undefined }
      this.#wake()
    })
    body.on('data', this.#take)
  }

  /** Returns the next bytes; `undefined` at the end. Throws the body's error once all bytes before it were read. */
  async next(): Promise<Uint8Array | undefined> {
    if (this.#size === 0 && this.#end === undefined) await this.#more()
    if (this.#isFast && this.#clock !== undefined) await this.#gather(this.#clock)
    if (this.#size > 0) return this.#flush()
    if (this.#end?.error !== undefined) throw this.#end.error
    return undefined
  }

  /** Leaves the body to its owner. */
  release(): void {
    this.#unwatch()
    this.#body.off('data', this.#take)
  }

  readonly #take = (chunk: Uint8Array): void => {
    this.#waiting.push(chunk)
    this.#size += chunk.length
    this.#pieces += 1
    if (this.#pieces >= fastPieces && this.#clock !== undefined) this.#count(this.#clock)
    if (this.#size >= most) this.#body.pause()
    if (this.#size >= this.#wanted) this.#wake()
  }

  #flush(): Uint8Array {
    const chunks = this.#waiting
    const [first] = chunks
    this.#waiting = []
    this.#size = 0
    if (this.#body.isPaused()) this.#body.resume()
    return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)
  }

  #count(clock: Timing): void {
    const now = clock.monotonic()
    this.#isFast = now - this.#countedAt < fastMs
    this.#countedAt = now
    this.#pieces = 0
  }

  async #gather(clock: Timing): Promise<void> {
    this.#wanted = enough
    const stop = clock.after(gatherMs, () => this.#wake())
    if (this.#size < enough && this.#end === undefined) await this.#more()
    this.#wanted = 1
    stop()
    // Nothing else came: the stream has become slow.
    if (this.#waiting.length === 1) this.#isFast = false
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}
