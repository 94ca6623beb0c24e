import type { JsonObject } from '../json-value.ts'

/** Names the way in which the records of an input are told apart. */
export const recordFormats = ['line', 'nul', 'ndjson', 'csv'] as const

export type RecordFormat = (typeof recordFormats)[number]

/** One record of an input. */
export interface InputRecord {
  /** Counted from 1; blank lines are none. */
  readonly index: number
  /** As it came in, without what separates it from the next. */
  readonly raw: Uint8Array
  /** Without the mark of an encoding. Empty for a record with a fault. */
  readonly text: string
  /** The fields of an object or a row. */
  readonly fields?: JsonObject
  /** Why it cannot be used. */
  readonly fault?: string
  /** Whether `raw` is only its beginning. */
  readonly isCut?: true
  /** The bytes of the input up to its end. */
  readonly end: number
}

/** The longest record in bytes that is sent to a model. */
export const longestRecord = 1024 ** 2

/** The longest record in bytes that is kept as it came in, though it is too long for a model. */
export const longestKept = 16 * 1024 ** 2
