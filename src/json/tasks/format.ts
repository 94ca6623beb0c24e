import { PipeError } from '../../error.ts'
import type { StoredEvent } from '../../event-store.ts'
import type { JsonObject, JsonValue } from '../../json-value.ts'
import { encodeStoredEvent } from '../../wire/task-json.ts'
import { isDiskTaskEvent } from './check.generated.ts'
import { decodeStoredEvent } from './decode.ts'

/** The JSON form of events, for stores that keep it elsewhere. */
export const eventFormat = {
  /** Throws `invalid` for a malformed event. */
  encode: async (events: readonly StoredEvent[]): Promise<readonly JsonObject[]> => {
    const encoded = events.map(encodeStoredEvent)
    await requireEvents(encoded)
    return encoded
  },
  /** Returns `undefined` for what is no event. */
  decode: (value: JsonValue): StoredEvent | undefined =>
    isDiskTaskEvent(value) ? decodeStoredEvent(value) : undefined,
}

/** Throws `invalid` with the reason unless all of these are events in their JSON form. */
export async function requireEvents(events: readonly object[]): Promise<void> {
  for (const event of events) {
    if (isDiskTaskEvent(event) && decodeStoredEvent(event) !== undefined) continue
    const { taskEventSchema } = await import('./schema.ts')
    const [issue] = taskEventSchema.safeParse(event).error?.issues ?? []
    const field = issue?.path.join('.') ?? 'task_id'
    const why = issue?.message ?? 'an id is not one of pipe, or not that of the stream'
    throw new PipeError('invalid', `a malformed event was not saved: ${field}: ${why}`, {
      details: { field },
    })
  }
}
