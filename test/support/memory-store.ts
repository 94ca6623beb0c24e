import type { Clock } from '../../src/clock.ts'
import { PipeError, throwIfAborted } from '../../src/error.ts'
import { isSessionId, type SessionId } from '../../src/id.ts'
import { summaryOf } from '../../src/json/summary.ts'
import { omitUndefined } from '../../src/omit-undefined.ts'
import type {
  LoadedSession,
  NewSession,
  Session,
  SessionLog,
  SessionState,
  SessionStore,
} from '../../src/session.ts'
import { stillClock } from './still-clock.ts'

/** Creates a session store in memory. */
export function createMemoryStore(clock: Clock = stillClock()): SessionStore {
  /** In order of the last write. */
  const sessions = new Map<SessionId, Session>()
  const locked = new Set<SessionId>()

  const save = (session: Session) => {
    sessions.delete(session.id)
    sessions.set(session.id, session)
  }

  const lock = (id: SessionId, signal: AbortSignal) => {
    throwIfAborted(signal)
    if (locked.has(id)) {
      const details = { pid: String(process.pid), host: 'memory' }
      throw new PipeError('conflict', `session ${id} is being written by process ${process.pid}`, { details })
    }
    locked.add(id)
  }

  const find = (id: SessionId): Session => {
    if (!isSessionId(id)) throw new PipeError('input', `not a session id: ${id}`)
    const session = sessions.get(id)
    if (session === undefined) throw new PipeError('not_found', `there is no session ${id}`)
    return session
  }

  const write = (begun: Session): SessionLog => {
    let session = begun
    let closed = false
    return {
      id: session.id,
      unsaved: undefined,
      append: async (message, state: SessionState = {}) => {
        if (closed) throw new PipeError('conflict', `session ${session.id} is closed`)
        const messages = [...session.messages, message]
        session = { ...session, ...state, messages, updatedAt: new Date(clock.now()).toISOString() }
        save(session)
      },
      sync: async () => undefined,
      close: async () => {
        if (!closed) locked.delete(session.id)
        closed = true
      },
    }
  }

  return {
    create: async ({ id, systemPrompt, createdAt, cwd }: NewSession, { signal }) => {
      if (!isSessionId(id)) throw new PipeError('input', `not a session id: ${id}`)
      if (sessions.has(id)) throw new PipeError('conflict', `session ${id} already exists`)
      lock(id, signal)
      return write({
        id,
        systemPrompt,
        createdAt,
        updatedAt: createdAt,
        ...omitUndefined({ cwd }),
        messages: [],
      })
    },
    open: async (id, { signal }) => {
      const session = find(id)
      lock(id, signal)
      return { log: write(session), loaded: { session, damage: [] } }
    },
    load: async (id, { signal }): Promise<LoadedSession> => {
      const session = find(id)
      throwIfAborted(signal)
      return { session, damage: [] }
    },
    find: async (beginning, { signal }) => {
      throwIfAborted(signal)
      return [...sessions.keys()].filter((id) => id.startsWith(beginning)).sort()
    },
    async *list({ signal, cwd }) {
      throwIfAborted(signal)
      for (const session of [...sessions.values()].reverse()) {
        if (cwd === undefined || session.cwd === cwd) yield summaryOf(session)
      }
    },
  }
}
