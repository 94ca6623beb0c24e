import { hostname } from 'node:os'
import type { EventStore, StoredEvent } from '../../../src/event-store.ts'
import { createEventStore } from '../../../src/json/tasks/event-store.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'

export const { signal } = new AbortController()

/** Opens the events in a folder; `warnings` gets what the user would read. */
export function openEvents(directory: string, warnings: string[] = []): EventStore {
  const warn = (line: string) => void warnings.push(line)
  return createEventStore({ directory, clock: stillClock(), pid: process.pid, host: hostname(), warn })
}

export async function readEvents(store: EventStore): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  for await (const event of store.readAll({ signal })) events.push(event)
  return events
}
