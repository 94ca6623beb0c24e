import type { StoredEvent } from '../event-store.ts'
import type { JsonObject, JsonValue } from '../json-value.ts'

/** The JSON form of events, which all stores of events share. */
export interface EventFormat {
  /** Encodes events as they are stored. Throws `invalid` for a malformed one. */
  encode(events: readonly StoredEvent[]): Promise<readonly JsonObject[]>
  /** Returns `undefined` for what is no event. */
  decode(value: JsonValue): StoredEvent | undefined
}
