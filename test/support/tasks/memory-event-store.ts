import {
  type EventStore,
  eventFormat,
  overtaken,
  type StoredEvent,
} from '../../../src/cli/library/tasks/task-exports.ts'
import { PipeError, throwIfAborted } from '../../../src/error.ts'
import { requireProjectionName } from '../../../src/event-store.ts'
import type { JsonValue } from '../../../src/json-value.ts'

/** Events that any number of stores share. */
export class MemoryEvents {
  readonly all: StoredEvent[] = []
  readonly saved = new Map<string, { readonly cursorEventId: number; readonly state: JsonValue }>()
  readonly wakes = new Set<() => void>()
}

function createCounter(): () => number {
  let time = Date.UTC(2026, 0)
  return () => ++time
}

/** Keeps the events of tasks in memory, as a stranger would write it. `now`: milliseconds since 1970. Default: one more at each reading. */
export function createMemoryEventStore(events = new MemoryEvents(), now = createCounter()): EventStore {
  let isClosed = false
  const requireOpen = (signal: AbortSignal) => {
    throwIfAborted(signal)
    if (isClosed) throw new PipeError('conflict', 'the store of events is closed')
  }
  const ofStream = (id: string) => events.all.filter(({ streamId }) => streamId === id)
  return {
    ensureSchema: async ({ signal }) => requireOpen(signal),
    append: async (streamId, added, { expectedSeq, signal }) => {
      requireOpen(signal)
      const stamp = (from: number, seq: number) => {
        const createdAt = new Date(now()).toISOString()
        return added.map((event, i) => ({
          ...event,
          id: from + i + 1,
          streamId,
          seq: seq + i + 1,
          createdAt,
        }))
      }
      await eventFormat.encode(stamp(0, 0))
      const { length } = ofStream(streamId)
      if (expectedSeq !== undefined && expectedSeq !== length) throw overtaken(streamId, expectedSeq, length)
      const stored = stamp(events.all.length, length)
      events.all.push(...stored)
      for (const wake of events.wakes) wake()
      return stored
    },
    async *readAll({ after = 0, signal }) {
      requireOpen(signal)
      yield* events.all.slice(after)
      return undefined
    },
    async *readStream(streamId, { fromSeq = 1, signal }) {
      requireOpen(signal)
      yield* ofStream(streamId).slice(fromSeq - 1)
      return undefined
    },
    readById: async (id, { signal }) => {
      requireOpen(signal)
      return events.all[id - 1]
    },
    getProjection: async ({ name, defaultState, decode }, { signal }) => {
      requireOpen(signal)
      requireProjectionName(name)
      const { cursorEventId = 0, state: json } = events.saved.get(name) ?? {}
      const state = json === undefined || cursorEventId > events.all.length ? undefined : decode(json)
      return state === undefined ? { cursorEventId: 0, state: defaultState } : { cursorEventId, state }
    },
    saveProjection: async ({ name, encode }, { cursorEventId, state }, { signal }) => {
      requireOpen(signal)
      events.saved.set(name, { cursorEventId, state: encode(state) })
    },
    async *watch({ after = 0, signal }) {
      for (let at = after; ; ) {
        requireOpen(signal)
        const event = events.all[at]
        if (event !== undefined) at = event.id
        if (event !== undefined) yield event
        else
          await new Promise<void>((resolve) => {
            events.wakes.add(resolve)
            signal.addEventListener('abort', () => resolve(), { once: true })
          })
      }
    },
    close: async () => {
      isClosed = true
    },
  }
}
