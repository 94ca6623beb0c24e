import { isJsonObject, type JsonObject, parseJson } from '../json-value.ts'

/** Largest message in bytes. A longer one would fill the memory. */
const largest = 8 * 1024 * 1024
/** Most bytes of a header. */
const longestHeader = 4_096
const headerEnd = Buffer.from('\r\n\r\n')

/** Writes a message as the protocol frames it. */
export function frameOf(message: JsonObject): string {
  const text = JSON.stringify(message)
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

/** Splits what a server writes into messages. */
export class MessageFrames {
  readonly #take: (message: JsonObject) => void
  #pieces: Uint8Array[] = []
  #length = 0
  /** The bytes that are needed before anything can be read. */
  #needed = 0

  constructor(take: (message: JsonObject) => void) {
    this.#take = take
  }

  /** Takes the next bytes. Returns false for what is no frame or too long, after which nothing can be read. */
  push(chunk: Uint8Array): boolean {
    this.#pieces.push(chunk)
    this.#length += chunk.length
    // A message of many pieces is joined once, and not at each piece.
    if (this.#length < this.#needed) return true
    const bytes = Buffer.concat(this.#pieces)
    const read = this.#read(bytes)
    if (read === undefined) return false
    this.#pieces = [bytes.subarray(read)]
    this.#length = bytes.length - read
    return true
  }

  /** Reads whole messages. Returns how many bytes they have; `undefined` for what is no frame. */
  #read(bytes: Buffer): number | undefined {
    let from = 0
    for (;;) {
      const end = bytes.indexOf(headerEnd, from)
      this.#needed = 0
      if (end < 0) return bytes.length - from > longestHeader ? undefined : from
      const [, length] =
        /(?:^|\r\n)content-length: *(\d{1,12})/i.exec(bytes.toString('latin1', from, end)) ?? []
      if (length === undefined || Number(length) > largest) return undefined
      const start = end + headerEnd.length
      const next = start + Number(length)
      if (bytes.length < next) {
        this.#needed = next - from
        return from
      }
      const message = parseJson(bytes.toString('utf8', start, next))
      if (isJsonObject(message)) this.#take(message)
      from = next
    }
  }
}
