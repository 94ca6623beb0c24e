import { isPipeError, PipeError } from '../../error.ts'
import { readSessionId, type SessionId } from '../../id.ts'
import type { Session, SessionLog, SessionStore } from '../../session.ts'
import type { Flags } from '../flags.ts'
import type { Host } from '../host.ts'

export interface ChosenSession {
  readonly log: SessionLog
  /** What the session holds already. */
  readonly earlier: Session | undefined
  /** Lines that could not be read, for the person. */
  readonly warnings: readonly string[]
  /** Absent where nothing is saved. */
  readonly id: SessionId | undefined
}

export interface ChoiceOptions {
  readonly store: SessionStore
  readonly flags: Flags
  readonly host: Host
  readonly systemPrompt: string
  readonly signal: AbortSignal
}

/** The session that the flags name, opened to be written: a new one, an earlier one, a copy, or one that is not kept. */
export async function chooseSession(options: ChoiceOptions): Promise<ChosenSession> {
  const { store, flags, host, signal } = options
  if (flags.has('no-session'))
    return { log: forgetful(host), earlier: undefined, warnings: [], id: undefined }
  if (flags.has('fork')) return fork(await wanted(flags.text('fork'), options), options)
  if (flags.has('resume')) return reopen(await wanted(flags.text('resume'), options), store, signal)
  if (flags.has('continue')) return reopen(await wanted(undefined, options), store, signal)
  const named = flags.text('session')
  if (named === undefined) return begin(host.newId.session(), options)
  const id = readSessionId(named)
  try {
    return await reopen(id, store, signal)
  } catch (error) {
    if (isPipeError(error) && error.code === 'not_found') return begin(id, options)
    throw error
  }
}

/** The session with this id, or the only one whose id begins with it. Throws `input` where there is not one. */
export async function findSession(
  text: string,
  { store, signal }: Pick<ChoiceOptions, 'store' | 'signal'>,
): Promise<SessionId> {
  const wanted = readSessionId(text)
  const matches: SessionId[] = []
  for await (const { id } of store.list({ signal })) {
    if (id === wanted) return id
    if (id.startsWith(wanted)) matches.push(id)
  }
  const [only, second] = matches
  if (only === undefined)
    throw new PipeError('input', `no session ${text}; pipe sessions lists those of this folder`)
  if (second === undefined) return only
  throw new PipeError('input', `several sessions begin with ${text}: ${matches.slice(0, 5).join(', ')}`)
}

async function wanted(text: string | undefined, options: ChoiceOptions): Promise<SessionId> {
  if (text !== undefined && text !== '') return findSession(text, options)
  const { store, host, signal } = options
  for await (const { id } of store.list({ cwd: host.cwd, signal })) return id
  throw new PipeError('input', `no earlier session in ${host.cwd}; begin one with: pipe "prompt"`)
}

async function reopen(id: SessionId, store: SessionStore, signal: AbortSignal): Promise<ChosenSession> {
  const { log, loaded } = await store.open(id, { signal })
  const warnings = loaded.damage.map(
    ({ line, reason }) => `session ${id}, line ${line}: ${reason} (skipped, kept in the file)`,
  )
  return { log, earlier: loaded.session, warnings, id }
}

async function begin(
  id: SessionId,
  { store, host, systemPrompt, signal }: ChoiceOptions,
): Promise<ChosenSession> {
  const createdAt = new Date(host.clock.now()).toISOString()
  const log = await store.create({ id, systemPrompt, createdAt, cwd: host.cwd }, { signal })
  return { log, earlier: undefined, warnings: [], id }
}

async function fork(source: SessionId, options: ChoiceOptions): Promise<ChosenSession> {
  const { session } = await options.store.load(source, { signal: options.signal })
  const copy = await begin(options.host.newId.session(), { ...options, systemPrompt: session.systemPrompt })
  for (const message of session.messages) await copy.log.append(message)
  return { ...copy, earlier: session }
}

/** A log that keeps nothing. */
function forgetful({ newId }: Host): SessionLog {
  const nothing = () => Promise.resolve()
  return { id: newId.session(), append: nothing, sync: nothing, close: nothing }
}
