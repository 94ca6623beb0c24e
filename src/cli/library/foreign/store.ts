import { PipeError } from '../../../error.ts'
import type { LoadedSession, SessionLog, SessionStore } from '../../../session.ts'
import { failureOf } from './failure.ts'

/** Wraps a foreign store, so that its errors are PipeErrors: `storage`, unless it throws one with a code of its own. */
export function containStore(store: SessionStore): SessionStore {
  return {
    create: (session, options) => contained(async () => containLog(await store.create(session, options))),
    open: (id, options) =>
      contained(async () => {
        const { log, loaded } = await store.open(id, options)
        return { log: containLog(log), loaded: requireSession(loaded) }
      }),
    load: (id, options) => contained(async () => requireSession(await store.load(id, options))),
    find: (beginning, options) => contained(() => store.find(beginning, options)),
    async *list(options) {
      try {
        yield* store.list(options)
      } catch (error) {
        throw failure(error)
      }
    },
  }
}

function containLog(log: SessionLog): SessionLog {
  return {
    ...{ id: log.id, warnings: log.warnings ?? [] },
    get unsaved() {
      return log.unsaved
    },
    append: (message, state) => contained(() => log.append(message, state)),
    update: (state) => contained(() => log.update(state)),
    requireHeld: () => log.requireHeld?.(),
    sync: () => contained(() => log.sync()),
    close: () => contained(() => log.close()),
  }
}

function requireSession(loaded: LoadedSession): LoadedSession {
  if (Array.isArray(loaded?.session?.messages) && Array.isArray(loaded.damage)) return loaded
  throw new PipeError('storage', 'the session store returned something that is no session')
}

async function contained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw failure(error)
  }
}

function failure(error: unknown): PipeError {
  return failureOf(error, 'storage', 'the session store')
}
