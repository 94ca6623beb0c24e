import type { InteractionId } from '../../id.ts'
import { isJsonObject, type JsonValue } from '../../json-value.ts'
import type { ToolLook } from '../../tool.ts'

/** A call that has ended. */
export interface EndedCall {
  readonly name: string
  readonly look: ToolLook
  readonly arguments: JsonValue
  readonly isError: boolean
  /** Set if the turn ended before the call. `text` is then the end of its output. */
  readonly isInterrupted?: true
  /** The result as the model received it. */
  readonly text: string
  readonly details?: JsonValue | undefined
  /** Absent in a conversation read from its session. */
  readonly durationMs?: number | undefined
  /** Calls that the elf of this call has made. */
  readonly elfCalls?: number | undefined
}

/** Returns the lines of a call's whole output, of which its text may have only the ends. `undefined` if the text has all. */
export function allLines({ details }: EndedCall): number | undefined {
  const lines = isJsonObject(details) ? details['lines'] : undefined
  return typeof lines === 'number' ? lines : undefined
}

/** A call that runs, waits, or is still being written. */
export interface OpenCall {
  readonly id: string
  readonly name: string
  readonly look: ToolLook
  /** `null` while the model is still writing the call. */
  readonly arguments: JsonValue
  /** Monotonic start time, later by the time that it waited for answers; absent while the call waits for its turn. */
  readonly startedAt?: number
  /** The open question about it, and the monotonic time since which it waits for the answer. */
  readonly asked?: { readonly id: InteractionId; readonly at: number } | undefined
  /** The end of its output. */
  readonly output: string
  /** Set once it has ended while one before it runs. */
  readonly ended?: EndedCall
}

/** Marks the call that a question is most likely about: the first that was begun and has done nothing yet. */
export function waitForAnswer(
  calls: readonly OpenCall[],
  id: InteractionId,
  at: number,
): readonly OpenCall[] {
  const waiting = calls.find((call) => isUnstarted(call) && call.asked === undefined)
  return calls.map((call) => (call === waiting ? { ...call, asked: { id, at } } : call))
}

/** Lets the call go on whose question was answered. Its clock leaves out the time that it waited. */
export function goOn(calls: readonly OpenCall[], id: InteractionId, now: number): readonly OpenCall[] {
  return calls.map((call) => {
    const { asked, startedAt = now, ...rest } = call
    return asked?.id === id ? { ...rest, startedAt: startedAt + now - asked.at } : call
  })
}

/** Returns how long a call has run, in ms; `undefined` before its start. */
export function runTime({ startedAt, asked }: OpenCall, now: number): number | undefined {
  return startedAt === undefined ? undefined : (asked?.at ?? now) - startedAt
}

/** Whether a call that was begun has done nothing yet, so that an open question may be about it. */
export function isUnstarted({ startedAt, output, ended }: OpenCall): boolean {
  return startedAt !== undefined && output === '' && ended === undefined
}

/** Whether the model has written all of a call. */
export function isWhole(call: OpenCall): boolean {
  return call.arguments !== null
}
