import type { SessionId } from '../id.ts'
import type { Message } from '../message.ts'
import type { NewSession, SessionStore, SessionSummary } from '../session.ts'
import { countingIds, timestamp } from './sample-messages.ts'

const { signal } = new AbortController()

/** A store with shorthands for the cases. */
export interface StoreFixture {
  readonly store: SessionStore
  begin(more?: Partial<NewSession>): NewSession
  save(session: NewSession, messages: readonly Message[]): Promise<SessionId>
  messages(id: SessionId): Promise<readonly Message[]>
  listed(cwd?: string): Promise<readonly SessionSummary[]>
}

/** Returns the shorthands for a store. */
export function storeFixture(store: SessionStore): StoreFixture {
  const ids = countingIds()
  return {
    store,
    begin: (more = {}) => ({
      id: ids.session(),
      systemPrompt: 'You are pipe.',
      createdAt: timestamp,
      cwd: '/home/ada',
      ...more,
    }),
    save: async (session, messages) => {
      const log = await store.create(session, { signal })
      for (const message of messages) await log.append(message)
      await log.close()
      return session.id
    },
    messages: async (id) => (await store.load(id, { signal })).session.messages,
    listed: async (cwd) => {
      const found: SessionSummary[] = []
      for await (const summary of store.list(cwd === undefined ? { signal } : { signal, cwd }))
        found.push(withoutSize(summary))
      return found
    },
  }
}

/** Sizes are the store's own. */
function withoutSize({ size: _, ...summary }: SessionSummary): SessionSummary {
  return summary
}
