import type { JsonValue } from '../../json-value.ts'

/** Picks the part of an answer that a run prints. */
export interface AnswerForm {
  /** Returns that part of the answer; `undefined` if the answer has none. */
  pick(answer: string): PickedAnswer | undefined
  /** Says what is wrong with an answer that has none. */
  readonly lack: string
}

export interface PickedAnswer {
  readonly text: string
  /** The value of its JSON. Absent if JSON was not asked for. */
  readonly value?: JsonValue
  /** Whether the answer is a no, which the exit code says. */
  readonly isNo?: boolean
}
