import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  realpathSync,
  writeSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { hasCode, PipeError } from '../error.ts'
import { type Lock, type LockOptions, takeLock } from '../files/lock/lock.ts'
import { fileError, systemCode } from '../files/system-error.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../json-value.ts'
import { readLines } from './lines.ts'

/** Identifies a record: its place, and the SHA-256 of its text, which has the names of its fields. */
export interface RecordKey {
  readonly index: number
  readonly hash: string
}

function headerOf(about: string): JsonObject {
  return { type: 'journal', version: 1, about }
}

/** A line of the file: its place and its length in bytes. */
interface Place {
  readonly start: number
  readonly length: number
  /** An earlier line about a record with the same index. */
  readonly earlier: Place | undefined
}

/**
 * Keeps the results of records in a file, so that another run does not ask for them again. A result is one line, and adding it costs as much
 * as it is long. In memory are only the places of the lines.
 */
export class ResultJournal {
  readonly #path: string
  readonly #file: number
  readonly #places: ReadonlyMap<number, Place>
  readonly #lock: Lock

  private constructor(path: string, { file, places, lock }: Opened) {
    this.#path = path
    this.#file = file
    this.#places = places
    this.#lock = lock
  }

  /**
   * Opens a journal, or begins it, and keeps others from it. `about`: identifies what is asked about the records. Cuts off a last line that was
   * not written whole. Throws `input` for another file or one about something else, `conflict` that names another process with it, and what
   * the system says.
   */
  static async open(path: string, about: string, holder: LockOptions): Promise<ResultJournal> {
    const file = openJournal(path)
    let lock: Lock | undefined
    try {
      lock = lockJournal(path, holder)
      const { places, isNew } = await readPlaces(path, { about, file, signal: holder.signal })
      const journal = new ResultJournal(path, { file, places, lock })
      if (isNew) journal.#append(headerOf(about))
      return journal
    } catch (error) {
      lock?.release()
      closeSync(file)
      throw error
    }
  }

  /** Returns the result of a record; `undefined` if there is none. Throws what the system says. */
  find({ index, hash }: RecordKey): JsonObject | undefined {
    for (let place = this.#places.get(index); place !== undefined; place = place.earlier) {
      const entry = this.#read(place)
      if (isJsonObject(entry) && entry['hash'] === hash && isJsonObject(entry['result']))
        return entry['result']
    }
    return undefined
  }

  /** It survives the end of this process as soon as this returns. Throws `conflict` if another process took the journal over, and what the system says. */
  add(key: RecordKey, result: JsonObject): void {
    this.#lock.requireHeld()
    this.#append({ ...key, result })
  }

  /** It then survives a power cut too. */
  close(): void {
    try {
      fsyncSync(this.#file)
    } finally {
      closeSync(this.#file)
      this.#lock.release()
    }
  }

  #read({ start, length }: Place): JsonValue | undefined {
    const bytes = Buffer.alloc(length)
    try {
      readSync(this.#file, bytes, 0, length, start)
    } catch (error) {
      throw fileError(error, this.#path, 'read')
    }
    return parseJson(bytes.toString())
  }

  #append(line: JsonObject): void {
    try {
      writeSync(this.#file, `${JSON.stringify(line)}\n`)
    } catch (error) {
      throw fileError(error, this.#path, 'write')
    }
  }
}

interface Opened {
  readonly file: number
  readonly places: ReadonlyMap<number, Place>
  readonly lock: Lock
}

/** Locks the file that the path leads to. Two runs on one journal would ask for the same records. Throws `conflict`. */
function lockJournal(path: string, holder: LockOptions): Lock {
  try {
    return takeLock(`${realpathSync(path)}.lock`, holder)
  } catch (error) {
    if (!hasCode(error, 'conflict')) throw error
    throw new PipeError(
      'conflict',
      `${path} is in use by ${error.details['holder']}; let that finish, or name another file with --resume-map`,
      { cause: error, details: error.details },
    )
  }
}

/** Throws `input` for what is no file: a device may never end. */
function openJournal(path: string): number {
  try {
    const file = openSync(path, 'a+', 0o600)
    if (fstatSync(file).isFile()) return file
    closeSync(file)
  } catch (error) {
    throw fileError(error, path, 'open')
  }
  throw new PipeError('input', `${path} is not a file, so it cannot be a journal; name a file`)
}

interface Reading {
  readonly about: string
  readonly file: number
  readonly signal: AbortSignal
}

/** Finds the lines of a journal by the index of their record. */
async function readPlaces(
  path: string,
  { about, file, signal }: Reading,
): Promise<{ readonly places: ReadonlyMap<number, Place>; readonly isNew: boolean }> {
  const places = new Map<number, Place>()
  const reading = await open(path, 'r')
  try {
    for await (const { number, start, bytes, whole } of readLines(reading, signal)) {
      if (!whole) {
        if (number === 1 && !JSON.stringify(headerOf(about)).startsWith(bytes.toString()))
          throw noJournal(path)
        ftruncateSync(file, start)
        return { places, isNew: number === 1 }
      }
      const line = parseJson(bytes.toString())
      if (number === 1) requireHeader(line, path, about)
      else if (isJsonObject(line) && typeof line['index'] === 'number')
        places.set(line['index'], { start, length: bytes.length, earlier: places.get(line['index']) })
    }
    return { places, isNew: places.size === 0 && (await reading.stat()).size === 0 }
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    throw fileError(error, path, 'read')
  } finally {
    await reading.close()
  }
}

function requireHeader(line: unknown, path: string, about: string): void {
  if (!isJsonObject(line) || line['type'] !== 'journal') throw noJournal(path)
  if (line['version'] !== 1)
    throw new PipeError('input', `${path} is a journal of another version of pipe; name another file`)
  if (line['about'] !== about)
    throw new PipeError(
      'input',
      `${path} is the journal of another prompt; name another file, or delete it to start again`,
    )
}

function noJournal(path: string): PipeError {
  return new PipeError('input', `${path} is not a journal of --resume-map; name another file`)
}
