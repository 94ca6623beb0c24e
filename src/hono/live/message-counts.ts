import { branchOf } from '../../history/branch.ts'
import { RecentKeys } from './recent-keys.ts'
import type { StoredSession, StoredSessions } from './stored-sessions.ts'

interface Counted {
  /** The state of the file that was counted. */
  readonly of: string
  readonly messages: number
}

/** Sessions whose messages are counted once, as long as their files stay as they are. */
const mostCounted = 10_000

/** Counts the messages of stored sessions, and reads each session again only after it has changed. */
export class MessageCounts {
  readonly #stored: StoredSessions
  readonly #counted = new RecentKeys<Counted>(mostCounted)

  constructor(stored: StoredSessions) {
    this.#stored = stored
  }

  /** Returns the number of messages on the current branch. Throws as `StoredSessions.load` does. */
  async count({ summary }: StoredSession, signal: AbortSignal): Promise<number> {
    const { id, size, updatedAt } = summary
    const of = `${size} ${updatedAt}`
    const known = this.#counted.get(id)
    if (known?.of === of) return known.messages
    const messages = branchOf(await this.#stored.load(id, { signal })).length
    this.#counted.set(id, { of, messages })
    return messages
  }
}
