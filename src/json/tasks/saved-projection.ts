import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { readFrom } from '../../files/descriptor.ts'
import { sha256 } from '../../files/lazy-crypto.ts'
import { readIfThere } from '../../files/reading/read-if-there.ts'
import { systemCode } from '../../files/system-error.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../json-value.ts'

/** A place in a log: the end of an event's line. */
export interface LogPlace {
  /** Id of the event. */
  readonly id: number
  /** Bytes of the log up to there. */
  readonly offset: number
}

/** The file of a projection. */
export interface ProjectionFile {
  readonly cursorEventId: number
  readonly state: JsonValue
  /** The end of the event at the cursor, if it was known. */
  readonly place?: LogPlace
}

/** Reads a projection; `undefined` if there is none, or if its place in the log holds something else. Throws `permission`, `invalid`, `internal`. */
export function readProjection(path: string, log: string): ProjectionFile | undefined {
  const bytes = readIfThere(path)
  const saved = bytes === undefined ? undefined : parseJson(bytes.toString())
  if (!isJsonObject(saved)) return undefined
  const { cursor_event_id: id, offset, before, state } = saved
  if (!Number.isSafeInteger(id) || typeof id !== 'number' || state === undefined) return undefined
  if (typeof offset !== 'number') return { cursorEventId: id, state }
  return hashBefore(log, offset) === before ? { cursorEventId: id, state, place: { id, offset } } : undefined
}

/** Encodes the file of a projection. A place in the log lets later readers begin there. */
export function encodeProjection({ cursorEventId, state, place }: ProjectionFile, log: string): JsonObject {
  const before = place && hashBefore(log, place.offset)
  return {
    cursor_event_id: cursorEventId,
    ...(place !== undefined && before !== undefined && { offset: place.offset, before }),
    state,
  }
}

/** Bytes that tell a log from another one of the same length. */
const compared = 1_024

/** Returns a hash of the bytes before a place; `undefined` if the log does not reach there. */
function hashBefore(log: string, offset: number): string | undefined {
  let descriptor: number
  try {
    descriptor = openSync(log, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
  try {
    if (!Number.isSafeInteger(offset) || offset < 1 || fstatSync(descriptor).size < offset) return undefined
    const length = Math.min(compared, offset)
    return sha256(readFrom(descriptor, offset - length, length))
  } finally {
    closeSync(descriptor)
  }
}
