import { constants, fstatSync, openSync } from 'node:fs'
import { PipeError } from '../../error.ts'
import type { StoredEvent } from '../../event-store.ts'
import { readFrom } from '../../files/descriptor.ts'
import { OpenFile } from '../../files/open-file.ts'
import { fileError, systemCode } from '../../files/system-error.ts'
import { isJsonObject, parseJson } from '../../json-value.ts'
import { isDiskTaskEvent } from './check.generated.ts'
import { decodeStoredEvent } from './decode.ts'
import type { LogPlace } from './saved-projection.ts'
import { tasksVersion } from './task-line.ts'

/** The part of a log to read. Default: all of it. */
export interface LogPart {
  /** Begins after this event. */
  readonly from?: LogPlace | undefined
  /** Returns all events of this stream, but not all of others, whose lines are not even parsed. */
  readonly streamId?: string
}

const newline = 0x0a
/** The end of a line that counts only together with the next one. */
const moreEnding = Buffer.from(',"more":true}')
const chunkSize = 256 * 1024

/** Reads the events of one log from its start on, as far as they are complete. Later calls read what was added. */
export class LogReader {
  readonly #path: string
  readonly #onDamage: (line: string) => void
  /** Lines without these bytes are of other streams. */
  readonly #only: Buffer | undefined
  #offset = 0
  /** Lines read. The first is the header, so the number of a line is the id of its event plus 1. */
  #lines = 0

  /** `onDamage` gets a message for each line that is no event. */
  constructor(path: string, onDamage: (line: string) => void, { from, streamId }: LogPart = {}) {
    this.#path = path
    this.#onDamage = onDamage
    this.#only = streamId === undefined ? undefined : Buffer.from(JSON.stringify(streamId))
    if (from === undefined) return
    this.#offset = from.offset
    this.#lines = from.id + 1
  }

  /** Bytes of the complete events and of the header. */
  get offset(): number {
    return this.#offset
  }

  /** Id of the last complete event; 0 before the first. */
  get lastId(): number {
    return Math.max(0, this.#lines - 1)
  }

  /** Returns the next events of the open log; `undefined` at its end. Throws `input` for a log of a newer version. */
  read(descriptor: number): readonly StoredEvent[] | undefined {
    const left = fstatSync(descriptor).size - this.#offset
    for (let length = chunkSize; ; length *= 2) {
      const bytes = readFrom(descriptor, this.#offset, Math.min(Math.max(left, 0), length))
      const before = this.#offset
      const events = this.#take(bytes)
      if (this.#offset > before) return events
      if (length >= left) return undefined
    }
  }

  /** Takes the complete events at the start of these bytes. */
  #take(bytes: Buffer): readonly StoredEvent[] {
    const events: StoredEvent[] = []
    /** Events that count only together with the next line. */
    let held: (StoredEvent | string)[] = []
    let taken = 0
    for (
      let from = 0, to = bytes.indexOf(newline);
      to !== -1;
      from = to + 1, to = bytes.indexOf(newline, from)
    ) {
      const line = bytes.subarray(from, to)
      const number = this.#lines + held.length
      if (number > 0 && this.#only !== undefined && !line.includes(this.#only)) {
        held.push('')
        if (line.subarray(-moreEnding.length).equals(moreEnding)) continue
      } else {
        const value = parseJson(line.toString())
        held.push(this.#open(value, number))
        if (isJsonObject(value) && value['more'] === true) continue
      }
      for (const one of held) {
        if (typeof one !== 'string') events.push(one)
        else if (one !== '') this.#onDamage(one)
      }
      this.#lines += held.length
      held = []
      taken = to + 1
    }
    this.#offset += taken
    return events
  }

  /** Returns the event of a line, or what is wrong with the line; an empty text for a header. */
  #open(value: unknown, number: number): StoredEvent | string {
    if (number === 0) return this.#openHeader(value)
    const event = isDiskTaskEvent(value) ? decodeStoredEvent(value) : undefined
    if (event?.id === number) return event
    return `line ${number + 1} of ${this.#path} is not a readable event; it was skipped`
  }

  #openHeader(value: unknown): string {
    const version = readVersion(value)
    if (version === undefined) return `${this.#path} has no header in line 1; it may be damaged`
    if (version <= tasksVersion) return ''
    throw new PipeError('input', `${this.#path} has version ${version}, which needs a newer pipe`)
  }
}

/** Returns the version in the header of a log; `undefined` for another line. */
function readVersion(value: unknown): number | undefined {
  if (!isJsonObject(value) || value['type'] !== 'tasks') return undefined
  const { version } = value
  return typeof version === 'number' && Number.isSafeInteger(version) && version > 0 ? version : undefined
}

/** Opens a log for reading; `undefined` if there is none. The caller closes it. Throws `permission`, `invalid`, `internal`. */
export function openIfThere(path: string): OpenFile | undefined {
  try {
    return new OpenFile(path, openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW), { isNew: false })
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw fileError(error, path, 'read')
  }
}
