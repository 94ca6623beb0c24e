import { hostname } from 'node:os'
import { join } from 'node:path'
import type { SessionId } from '../../src/id.ts'
import type { Migration } from '../../src/json/sessions/migrate.ts'
import { createSessionStore } from '../../src/json/sessions/session-store.ts'
import type { Message } from '../../src/message.ts'
import { omitUndefined } from '../../src/omit-undefined.ts'
import type { LoadedSession, SessionStore } from '../../src/session.ts'
import { stillClock } from '../support/clocks/still-clock.ts'
import { timestamp } from '../support/messages/messages.ts'
import { sessionId } from './session-id.ts'

export function openStore(directory: string, migrations?: readonly Migration[]): SessionStore {
  const owner = { pid: process.pid, host: hostname() }
  return createSessionStore({ directory, clock: stillClock(), ...owner, ...omitUndefined({ migrations }) })
}

export const { signal } = new AbortController()

export function load(directory: string, id: SessionId = sessionId()): Promise<LoadedSession> {
  return openStore(directory).load(id, { signal })
}

/** Writes a session of these messages and closes it. */
export async function save(
  directory: string,
  messages: readonly Message[],
  id = sessionId(),
): Promise<string> {
  const session = { id, systemPrompt: 'You are pipe.', createdAt: timestamp, cwd: '/home/ada' }
  const log = await openStore(directory).create(session, { signal })
  for (const message of messages) await log.append(message)
  await log.close()
  return join(directory, `${id}.json`)
}

/** Opens a session, appends to it, and closes it. */
export async function append(directory: string, message: Message, id = sessionId()): Promise<LoadedSession> {
  const { log, loaded } = await openStore(directory).open(id, { signal })
  try {
    await log.append(message)
  } finally {
    await log.close()
  }
  return loaded
}
