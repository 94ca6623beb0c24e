import type { JsonValue } from '../../json-value.ts'

/** A call that has ended. */
export interface EndedCall {
  readonly name: string
  readonly arguments: JsonValue
  readonly isError: boolean
  /** Set if the turn ended before the call. `text` is then the end of its output. */
  readonly isInterrupted?: true
  /** The result as the model received it. */
  readonly text: string
  readonly details?: JsonValue
  /** Absent in a conversation read from its session. */
  readonly durationMs?: number
  /** Calls that the elf of this call has made. */
  readonly elfCalls?: number
}

/** A call that runs, waits, or is still being written. */
export interface OpenCall {
  readonly id: string
  readonly name: string
  /** `null` while the model is still writing the call. */
  readonly arguments: JsonValue
  /** Monotonic start time; absent while the call waits for its turn. */
  readonly startedAt?: number
  /** The end of its output. */
  readonly output: string
  /** Set once it has ended while one before it runs. */
  readonly ended?: EndedCall
}

/** Whether the model has written all of a call. */
export function isWhole(call: OpenCall): boolean {
  return call.arguments !== null
}
