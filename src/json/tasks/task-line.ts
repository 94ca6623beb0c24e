import type { StoredEvent } from '../../event-store.ts'
import { encodeStoredEvent } from '../../wire/task-json.ts'

/** The version of the log that this program writes, stated in its first line. */
export const tasksVersion = 1

/** The first line of a log. */
export const headerLine = `${JSON.stringify({ type: 'tasks', version: tasksVersion })}\n`

/** Encodes events that count only together: all but the last say that more follow. */
export function encodeLines(events: readonly StoredEvent[]): readonly object[] {
  return events.map((event, i) => ({
    ...encodeStoredEvent(event),
    ...(i === events.length - 1 ? {} : { more: true }),
  }))
}
