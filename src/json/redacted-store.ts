import { omitUndefined } from '../omit-undefined.ts'
import type { SessionLog, SessionStore } from '../session.ts'
import { type Redact, redactMessage } from '../text/redaction.ts'

/** Wraps a store to redact secrets in new writes. Does not change messages in memory or on disk. */
export function redactedStore(store: SessionStore, redact: Redact): SessionStore {
  return {
    create: async (session, options) => {
      const systemPrompt = redact(session.systemPrompt)
      return redacted(await store.create({ ...session, systemPrompt }, options), redact)
    },
    open: async (id, { signal, ifLost }) => {
      const kept = ifLost && { ...ifLost, systemPrompt: redact(ifLost.systemPrompt) }
      const { log, loaded } = await store.open(id, { signal, ...omitUndefined({ ifLost: kept }) })
      return { log: redacted(log, redact), loaded }
    },
    load: (id, options) => store.load(id, options),
    find: (beginning, options) => store.find(beginning, options),
    list: (options) => store.list(options),
  }
}

function redacted(log: SessionLog, redact: Redact): SessionLog {
  return {
    id: log.id,
    ...omitUndefined({ warnings: log.warnings }),
    get unsaved() {
      return log.unsaved
    },
    append: (message, state) => log.append(redactMessage(message, redact), state),
    requireHeld: () => log.requireHeld?.(),
    sync: () => log.sync(),
    close: () => log.close(),
  }
}
