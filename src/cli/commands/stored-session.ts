import type { Session } from '../../session.ts'
import { tell } from '../../terminal/output.ts'
import type { RunContext } from '../run-context.ts'
import { openSessions } from '../wiring/records.ts'
import { findSession } from '../wiring/session-choice.ts'

/** Loads the session that a text names, and reports its damage. Throws `input` unless exactly one matches. */
export async function loadNamed(text: string, { host, signal }: RunContext): Promise<Session> {
  const store = openSessions(host)
  const { session, damage } = await store.load(await findSession(text, { store, signal }), { signal })
  for (const { line, reason } of damage) tell(host, `line ${line}: ${reason} (skipped)`)
  return session
}
