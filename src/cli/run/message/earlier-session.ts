import type { SessionChoice, SessionElsewhere, SessionSummary } from '../../../session.ts'
import type { RunContext } from '../../run-context.ts'
import { conversationsElsewhere } from '../../wiring/session/sessions-elsewhere.ts'
import { conversationsIn } from '../../wiring/session/sessions-in.ts'
import { openSessions } from '../../wiring/session-records.ts'

/** The sessions to choose from. */
export interface EarlierSessions {
  /** Those of this folder, maybe none. */
  readonly here: AsyncIterable<SessionSummary>
  readonly hasAny: boolean
  readonly elsewhere: () => AsyncIterable<SessionElsewhere>
}

/** Shows sessions and returns the id of the chosen one; `undefined` if the user leaves. */
export type SessionPicker = (sessions: EarlierSessions) => Promise<string | undefined>

/**
 * Lets the user choose a session for `-r` without an id: of this folder, or in one without sessions, of its repository. Returns other choices as they are, also if there is no session
 * to choose: opening it says so. Returns `undefined` if the user leaves.
 */
export async function chooseEarlier(
  choice: SessionChoice,
  pick: SessionPicker,
  { host, flags, signal }: Pick<RunContext, 'host' | 'flags' | 'signal'>,
): Promise<SessionChoice | undefined> {
  if (choice.type !== 'resume' || choice.id !== undefined || !flags.has('resume')) return choice
  const store = openSessions(host)
  const sessions = conversationsIn(host.cwd, { store, signal })
  const elsewhere = () => conversationsElsewhere(host, { store, signal })
  const first = await firstReadable(sessions)
  if (first === undefined && (await elsewhere().next()).value?.isOfRepository !== true) return choice
  const id = await pick({ here: behind(first ?? [], sessions), hasAny: first !== undefined, elsewhere })
  return id === undefined ? undefined : { type: 'resume', id }
}

/** Reads sessions up to the first readable one. Leaves the rest unread. */
async function firstReadable(
  sessions: AsyncIterator<SessionSummary, undefined, undefined>,
): Promise<readonly SessionSummary[] | undefined> {
  const read: SessionSummary[] = []
  for (;;) {
    const { value } = await sessions.next()
    if (value === undefined) return undefined
    read.push(value)
    if (value.fault === undefined) return read
  }
}

async function* behind(
  first: readonly SessionSummary[],
  rest: AsyncIterable<SessionSummary>,
): AsyncGenerator<SessionSummary, undefined, undefined> {
  yield* first
  yield* rest
}
