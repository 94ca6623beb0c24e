import { logOver, type SessionLog, type SessionStore } from '../../../session.ts'

/** Returns the error to throw instead of one that was caught. */
type Translate = (error: unknown) => unknown

/** Translates the errors of opening a session for writing, of writing to it, and of reading. */
export interface Translations {
  readonly opening: Translate
  readonly writing: Translate
  readonly reading: Translate
}

/** Wraps a store to translate its errors. */
export function translatedStore(
  store: SessionStore,
  { opening, writing, reading }: Translations,
): SessionStore {
  return {
    create: async (session, options) =>
      translatedLog(await translated(() => store.create(session, options), opening), writing),
    open: async (id, options) => {
      const { log, loaded } = await translated(() => store.open(id, options), opening)
      return { log: translatedLog(log, writing), loaded }
    },
    load: (id, options) => translated(() => store.load(id, options), reading),
    find: (beginning, options) => translated(() => store.find(beginning, options), reading),
    async *list(options) {
      try {
        yield* store.list(options)
      } catch (error) {
        throw reading(error)
      }
    },
  }
}

function translatedLog(log: SessionLog, writing: Translate): SessionLog {
  return logOver(log, {
    append: (message, state) => translated(() => log.append(message, state), writing),
    update: (state) => translated(() => log.update(state), writing),
    sync: () => translated(() => log.sync(), writing),
    close: () => translated(() => log.close(), writing),
  })
}

/** Runs work and translates what it throws. */
export async function translated<T>(work: () => Promise<T>, translate: Translate): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw translate(error)
  }
}
