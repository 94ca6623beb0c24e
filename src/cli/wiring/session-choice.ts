import { isPipeError, PipeError } from '../../error.ts'
import { readSessionId, type SessionId } from '../../id.ts'
import type { LoadedSession, Session, SessionLog, SessionStore } from '../../session.ts'
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
  const { store, flags, signal, host } = options
  const source = (['fork', 'resume', 'continue'] as const).find((flag) => flags.has(flag))
  const earlier = source === undefined ? undefined : await wanted(flags.text(source), options)
  if (flags.has('no-session')) return unsaved(earlier, options)
  if (earlier !== undefined)
    return source === 'fork' ? fork(earlier, options) : reopen(earlier, store, signal)
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
  return { log, earlier: loaded.session, warnings: warningsOf(id, loaded), id }
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
  const loaded = await options.store.load(source, { signal: options.signal })
  const { systemPrompt, messages } = loaded.session
  const copy = await begin(options.host.newId.session(), { ...options, systemPrompt })
  for (const message of messages) await copy.log.append(message)
  return { ...copy, earlier: loaded.session, warnings: warningsOf(source, loaded) }
}

/** A conversation that is not kept, which may go on from one that is. */
async function unsaved(
  source: SessionId | undefined,
  { store, host, signal }: ChoiceOptions,
): Promise<ChosenSession> {
  const nothing = () => Promise.resolve()
  const log = { id: host.newId.session(), append: nothing, sync: nothing, close: nothing }
  if (source === undefined) return { log, earlier: undefined, warnings: [], id: undefined }
  const loaded = await store.load(source, { signal })
  return { log, earlier: loaded.session, warnings: warningsOf(source, loaded), id: undefined }
}

function warningsOf(id: SessionId, { damage }: LoadedSession): readonly string[] {
  return damage.map(
    ({ line, reason }) => `session ${id}, line ${line}: ${reason} (skipped, kept in the file)`,
  )
}
