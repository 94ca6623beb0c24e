import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { isJsonObject, type JsonObject, parseJson } from '../json-value.ts'

/** Largest message in bytes. A longer line would fill the memory. */
const largest = 128 * 1024 * 1024

/** Splits what a server writes into messages. Skips a line that is no message, because servers print what they should not. */
export class MessageLines {
  readonly #take: (message: JSONRPCMessage) => void
  /** The pieces of a line without an end. */
  #pieces: Uint8Array[] = []
  #length = 0

  constructor(take: (message: JSONRPCMessage) => void) {
    this.#take = take
  }

  /** Takes the next bytes. Returns false once a line is too long, from which on nothing can be read. */
  push(chunk: Uint8Array): boolean {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#pieces.push(chunk.subarray(from, end))
      this.#line(new TextDecoder().decode(Buffer.concat(this.#pieces)))
      this.#pieces = []
      this.#length = 0
      from = end + 1
    }
    const rest = chunk.subarray(from)
    if (rest.length === 0) return true
    this.#length += rest.length
    if (this.#length > largest) return false
    this.#pieces.push(rest)
    return true
  }

  #line(text: string): void {
    const value = parseJson(text)
    for (const message of Array.isArray(value) ? value : [value]) {
      if (isMessage(message)) this.#take(message)
    }
  }
}

/** Whether a value has what every message has. The rest is checked where it is used. */
export function isMessage(value: unknown): value is JSONRPCMessage & JsonObject {
  return isJsonObject(value) && value['jsonrpc'] === '2.0'
}
