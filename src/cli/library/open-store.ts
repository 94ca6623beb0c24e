import type { SessionStore } from '../../session.ts'
import { readMachine } from '../host.ts'
import { openSessions } from '../wiring/session-records.ts'

export interface SessionStoreOptions {
  /** Decides where the sessions are, as for `openConversation`. Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Milliseconds to wait for a session that another process writes. Default: 0. */
  readonly waitMs?: number
}

/** Opens the user's sessions on disk. */
export function openSessionStore({ env = process.env, waitMs }: SessionStoreOptions = {}): SessionStore {
  return openSessions(readMachine(env), waitMs)
}
