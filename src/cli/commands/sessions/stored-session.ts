import { branchUpTo } from '../../../history/branch.ts'
import type { Session } from '../../../session.ts'
import { printWarning } from '../../../terminal/output.ts'
import type { RunContext } from '../../run-context.ts'
import { findSession } from '../../wiring/session/found-session.ts'
import { withAllSessions } from '../../wiring/session-records.ts'

/** Loads the session that a text names, and reports its damage. Throws `input` unless exactly one matches. */
export async function loadNamed(text: string, { host, signal }: RunContext): Promise<Session> {
  const { session, damage } = await withAllSessions(host, async (store) =>
    store.load(await findSession(text, { store, signal }), { signal }),
  )
  for (const { line, reason } of damage) printWarning(host, `line ${line}: ${reason} (skipped)`)
  return session
}

/** Loads the session of `ID`, or of `ID@MESSAGE` only the branch that `--fork` would copy. Throws `input`. */
export async function loadUpTo(text: string, context: RunContext): Promise<Session> {
  const [id = '', message] = text.split('@', 2)
  const session = await loadNamed(id, context)
  if (message === undefined) return session
  // These tell of the whole session.
  const { head: _, usage: _usage, costUsd: _cost, pending: _pending, ...rest } = session
  const messages = branchUpTo(session, message)
  return { ...rest, messages, updatedAt: messages.at(-1)?.timestamp ?? session.createdAt }
}
