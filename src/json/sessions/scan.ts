import { isUtf8 } from 'node:buffer'
import type { TextLine } from '../../files/reading/split-lines.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../json-value.ts'
import type { Damage } from '../../session.ts'
import { type ReadableFile, readLines } from '../lines.ts'
import { messagesLine, withoutComma } from './layout.ts'

/** An unchecked message of the file. */
export interface ScannedRow {
  /** Counted from 1. */
  readonly line: number
  /** Index in the list of messages, from 0, including unreadable ones. */
  readonly position: number
  readonly value: JsonObject
}

/** The readable parts of a file laid out in lines. */
export interface Scan {
  readonly header: JsonObject
  readonly rows: readonly ScannedRow[]
  /** The fields after the messages. */
  readonly tail: JsonObject
  readonly damage: readonly Damage[]
  /** Byte offset after the last kept message. Absent if the file is cut before its messages. */
  readonly end?: number
  /** Whether no message precedes `end`. */
  readonly empty: boolean
  /** Whether the part after `end` is incomplete. */
  readonly torn: boolean
}

/** Reads a file laid out in lines to its end, despite damage. Returns `undefined` for any other layout. */
export async function scanLines(file: ReadableFile, signal: AbortSignal): Promise<Scan | undefined> {
  const scanner = new Scanner()
  for await (const line of readLines(file, signal)) {
    if (!scanner.recognises(line)) return undefined
    scanner.take(line)
  }
  return scanner.result()
}

class Scanner {
  #part: 'header' | 'messages' | 'tail' | 'after' = 'header'
  readonly #header: (readonly [string, JsonValue])[] = []
  readonly #tail: (readonly [string, JsonValue])[] = []
  readonly #rows: ScannedRow[] = []
  readonly #damage: Damage[] = []
  #position = 0
  #line = 1
  /** Byte offset after the line that opens the messages. */
  #origin: number | undefined
  /** Byte offsets after the last readable message, and after the last line of any kind among the messages. */
  #kept = 0
  #seen = 0
  #torn = false

  /** Recognises our layout by the first two lines. */
  recognises(line: TextLine): boolean {
    if (line.number === 1) return line.bytes.equals(firstLine)
    return line.number > 2 || line.bytes[0] === quote
  }

  take(line: TextLine): void {
    this.#line = line.number
    if (line.number === 1) return
    const text = isUtf8(line.bytes) ? line.bytes.toString('utf8') : undefined
    switch (this.#part) {
      case 'header':
        if (text === messagesLine) this.#beginMessages(line)
        else if (!addPair(this.#header, line, text)) this.#report(line)
        return
      case 'messages':
        if (text === '],' || text === ']') this.#endMessages()
        else this.#addRow(line, text)
        return
      case 'tail':
        if (text === '}') this.#part = 'after'
        else if (!addPair(this.#tail, line, text)) this.#tear(line)
        return
      case 'after':
        if (text?.trim() !== '') this.#tear(line)
    }
  }

  result(): Scan {
    const cut = this.#part !== 'after'
    if (cut && this.#damage.at(-1)?.line !== this.#line) {
      this.#damage.push({ line: this.#line, reason: 'the file is cut off here' })
    }
    return {
      header: Object.fromEntries(this.#header),
      rows: this.#rows,
      tail: Object.fromEntries(this.#tail),
      damage: this.#damage,
      ...(this.#origin === undefined ? {} : { end: this.#kept }),
      empty: this.#kept === this.#origin,
      torn: cut || this.#torn,
    }
  }

  #beginMessages(line: TextLine): void {
    this.#part = 'messages'
    this.#origin = this.#kept = this.#seen = line.start + line.bytes.length
  }

  /** Keeps a damaged line if the closing lines follow it; else it is torn. */
  #endMessages(): void {
    this.#part = 'tail'
    this.#kept = this.#seen
  }

  #addRow(line: TextLine, text: string | undefined): void {
    const value = text === undefined ? undefined : readMessage(text)
    this.#seen = line.start + line.bytes.length - (line.bytes.at(-1) === comma ? 1 : 0)
    if (value !== undefined) {
      this.#rows.push({ line: line.number, position: this.#position, value })
      this.#kept = this.#seen
    } else {
      this.#report(line)
    }
    this.#position += 1
  }

  #tear(line: TextLine): void {
    this.#torn = true
    this.#report(line)
  }

  #report(line: TextLine): void {
    this.#damage.push({ line: line.number, reason: describeDamage(line) })
  }
}

const firstLine = Buffer.from('{')
const quote = 0x22
const comma = 0x2c

/** Adds the field of a complete line. A cut line may still look valid, as a number does. */
function addPair(pairs: (readonly [string, JsonValue])[], line: TextLine, text: string | undefined): boolean {
  const fields = line.whole && text !== undefined ? readField(text) : undefined
  if (fields === undefined) return false
  pairs.push(...Object.entries(fields))
  return true
}

/** Reads a line before or after the messages. Returns `undefined` if it is damaged. */
export function readField(line: string): JsonObject | undefined {
  const fields = parseJson(`{${withoutComma(line)}}`)
  return isJsonObject(fields) ? fields : undefined
}

/** Reads the line of a message. Returns `undefined` if it is damaged. */
export function readMessage(line: string): JsonObject | undefined {
  const message = parseJson(withoutComma(line))
  return isJsonObject(message) ? message : undefined
}

function describeDamage({ bytes, whole }: TextLine): string {
  if (bytes.includes(0)) return 'the line contains NUL bytes'
  if (!whole) return 'the file is cut off here'
  return isUtf8(bytes) ? 'the line is not the expected JSON' : 'the line is not UTF-8'
}
