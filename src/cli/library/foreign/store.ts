import { PipeError } from '../../../error.ts'
import type { LoadedSession, SessionStore } from '../../../session.ts'
import { translatedStore } from '../../wiring/session/translated-store.ts'
import { failureOf } from './failure.ts'

/** Wraps a foreign store, so that its errors are PipeErrors: `storage`, unless it throws one with a code of its own. */
export function containStore(store: SessionStore): SessionStore {
  return translatedStore(
    {
      create: (session, options) => store.create(session, options),
      open: async (id, options) => {
        const { log, loaded } = await store.open(id, options)
        return { log, loaded: requireSession(loaded) }
      },
      load: async (id, options) => requireSession(await store.load(id, options)),
      find: (beginning, options) => store.find(beginning, options),
      list: (options) => store.list(options),
    },
    { opening: failure, writing: failure, reading: failure },
  )
}

function requireSession(loaded: LoadedSession): LoadedSession {
  if (Array.isArray(loaded?.session?.messages) && Array.isArray(loaded.damage)) return loaded
  throw new PipeError('storage', 'the session store returned something that is no session')
}

function failure(error: unknown): PipeError {
  return failureOf(error, 'storage', 'the session store')
}
