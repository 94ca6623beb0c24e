import { defineStore } from '../../../src/cli/library/define-store.ts'
import type { Clock } from '../../../src/clock.ts'
import type { SessionId } from '../../../src/id.ts'
import { summaryOf } from '../../../src/json/sessions/session-summary.ts'
import type { Session, SessionStore } from '../../../src/session.ts'
import { stillClock } from '../clocks/still-clock.ts'

/** Creates a session store in memory. */
export function createMemoryStore(clock: Clock = stillClock()): SessionStore {
  /** In order of the last write. */
  const sessions = new Map<SessionId, Session>()
  return defineStore({
    now: clock.now,
    read: async (id) => sessions.get(id),
    append: async (head, message) => {
      const messages = [...(sessions.get(head.id)?.messages ?? []), message]
      sessions.delete(head.id)
      sessions.set(head.id, { ...head, messages })
    },
    update: async (head) => void sessions.set(head.id, { messages: [], ...sessions.get(head.id), ...head }),
    async *list() {
      for (const session of [...sessions.values()].reverse()) yield summaryOf(session)
    },
  })
}
