import type { TextLine } from '../files/reading/split-lines.ts'
import { isJsonObject, type JsonObject, parseJson } from '../json-value.ts'

/** Maximum bytes of a document, which is held in memory whole. */
const maxBytes = 256 * 1024 * 1024

/** A file that may be one JSON object on many lines. */
export class ImportedDocument<Part extends TextLine> {
  readonly lines: Part[] = []
  #size = 0

  /** Whether a line begins an object that goes on in the next one. */
  static begins(bytes: Buffer): boolean {
    return bytes.length < 100 && /^\s*\{\s*$/.test(String(bytes))
  }

  /** Whether it is larger than a document may be. */
  get isFull(): boolean {
    return this.#size > maxBytes
  }

  add(line: Part): void {
    this.#size += line.bytes.length
    this.lines.push({ ...line, bytes: Buffer.from(line.bytes) })
  }

  /** Returns the document; `undefined` if it is damaged, or the lines are no document. */
  parse(): JsonObject | undefined {
    const value = parseJson(this.lines.map(({ bytes }) => String(bytes)).join('\n'))
    return isJsonObject(value) ? value : undefined
  }
}
