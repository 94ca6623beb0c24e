import type { Turn } from '../../engine.ts'
import type { JsonValue } from '../../json-value.ts'

/** A turn of a conversation whose answers may have a schema. */
export interface AnsweredTurn extends Turn {
  /** The JSON of the answer. Absent without a `jsonSchema`, and if the turn did not end with an answer that fits. */
  readonly structuredOutput?: JsonValue
}
