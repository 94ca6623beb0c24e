import type { PipeError } from '../../../error.ts'
import type { SessionStore } from '../../../session.ts'
import { translatedStore } from '../../wiring/session/translated-store.ts'
import { foreignFailure } from './foreign-failure.ts'

/** Wraps a foreign store, so that its errors are PipeErrors: `storage`, unless it throws one with a code of its own. */
export function containStore(store: SessionStore): SessionStore {
  return translatedStore(
    {
      create: (session, options) => store.create(session, options),
      open: (id, options) => store.open(id, options),
      load: (id, options) => store.load(id, options),
      find: (beginning, options) => store.find(beginning, options),
      list: (options) => store.list(options),
    },
    { opening: failure, writing: failure, reading: failure },
  )
}

function failure(error: unknown): PipeError {
  return foreignFailure(error, 'storage', 'the session store')
}
