import { PipeError } from '../../../error.ts'
import { isSessionId, readSessionId, type SessionId } from '../../../id.ts'
import type { SessionChoice, SessionStore, SessionSummary } from '../../../session.ts'
import type { Machine } from '../../machine.ts'

interface FindOptions {
  readonly store: SessionStore
  readonly machine: Machine
  readonly signal: AbortSignal
}

/** Finds a session by its id, a unique prefix or its title. Throws `input` unless exactly one matches, and takes the newest of a title. */
export async function findSession(
  text: string,
  { store, signal }: Omit<FindOptions, 'machine'>,
): Promise<SessionId> {
  const titled = async () => (await import('./titled-session.ts')).findTitled(text, { store, signal })
  const named = isSessionId(text) ? undefined : await titled()
  if (named !== undefined) return named
  const wanted = readSessionId(text)
  const matches = await store.find(wanted, { signal })
  const [only = await titled(), second] = matches
  if (only === undefined)
    throw new PipeError('input', `no session ${text}; pipe sessions lists those of this folder`)
  if (second === undefined || only === wanted) return only
  throw new PipeError('input', `several sessions begin with ${text}: ${matches.slice(0, 5).join(', ')}`)
}

type WantedChoice = Pick<Extract<SessionChoice, { readonly type: 'resume' | 'fork' }>, 'id' | 'mayBegin'>

interface Wanted {
  readonly id: SessionId
  readonly warnings: readonly string[]
}

/**
 * Finds the named session, or the newest of this folder. Opening it fails if it is unreadable, because nobody asked for an older one.
 * Skips newer ones of unknown folders, with a warning. `undefined` if there is none and a new one may begin. Throws `input`.
 */
export async function wantedSession(
  { id: text, mayBegin }: WantedChoice,
  { store, machine, signal }: FindOptions,
): Promise<Wanted | undefined> {
  if (text !== undefined) return { id: await findSession(text, { store, signal }), warnings: [] }
  const faults: string[] = []
  const others: SessionSummary[] = []
  for await (const summary of store.list({ signal })) {
    const { id, cwd, fault = '', parentId } = summary
    if (parentId !== undefined) continue
    if (cwd === machine.cwd) return { id, warnings: faults }
    if (cwd !== undefined) others.push(summary)
    else if (fault !== '') faults.push(fault)
  }
  if (mayBegin === true) return undefined
  const { describeElsewhere } = await import('./sessions-elsewhere.ts')
  const elsewhere = await describeElsewhere(others, machine, signal)
  const words = [
    `no earlier session in ${machine.cwd}`,
    ...faults.slice(0, 3),
    ...(elsewhere === undefined ? [] : [elsewhere]),
    'start one with: pipe "prompt"',
  ]
  throw new PipeError('input', words.join('; '))
}
