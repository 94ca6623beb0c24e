import { isPipeError, PipeError } from '../../error.ts'
import { readSessionId, type SessionId } from '../../id.ts'
import type {
  LoadedSession,
  ReadingOptions,
  Session,
  SessionLog,
  SessionStore,
  SessionSummary,
} from '../../session.ts'
import type { Flags } from '../flags.ts'
import type { Host } from '../host.ts'

export interface ChosenSession {
  readonly log: SessionLog
  /** What the session holds already. */
  readonly earlier: Session | undefined
  /** What could not be read, and who else may read it, for the person. */
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
  const { flags, host } = options
  const source = (['fork', 'resume', 'continue'] as const).find((flag) => flags.has(flag))
  if (source !== undefined) {
    const { id, warnings } = await wanted(flags.text(source), options)
    const chosen = await goOn(id, source, options)
    return { ...chosen, warnings: [...warnings, ...chosen.warnings] }
  }
  if (flags.has('no-session')) return unsaved(undefined, options)
  const named = flags.text('session')
  if (named === undefined) return begin(host.newId.session(), options)
  const id = readSessionId(named)
  try {
    return await reopen(id, options)
  } catch (error) {
    if (isPipeError(error) && error.code === 'not_found') return begin(id, options)
    throw error
  }
}

function goOn(
  id: SessionId,
  source: 'fork' | 'resume' | 'continue',
  options: ChoiceOptions,
): Promise<ChosenSession> {
  if (options.flags.has('no-session')) return unsaved(id, options)
  return source === 'fork' ? fork(id, options) : reopen(id, options)
}

/** The session with this id, or the only one whose id begins with it. Throws `input` where there is not one. */
export async function findSession(
  text: string,
  { store, signal }: Pick<ChoiceOptions, 'store' | 'signal'>,
): Promise<SessionId> {
  const wanted = readSessionId(text)
  const matches = await store.find(wanted, { signal })
  const [only, second] = matches
  if (only === undefined)
    throw new PipeError('input', `no session ${text}; pipe sessions lists those of this folder`)
  if (second === undefined || only === wanted) return only
  throw new PipeError('input', `several sessions begin with ${text}: ${matches.slice(0, 5).join(', ')}`)
}

/** The sessions of a folder, newest first, and between them those with a fault that keeps from telling whose they are. */
export async function* sessionsIn(
  folder: string,
  { store, signal }: Pick<ChoiceOptions, 'store' | 'signal'>,
): AsyncGenerator<SessionSummary, undefined, undefined> {
  for await (const summary of store.list({ signal })) {
    const { cwd, fault } = summary
    if (cwd === folder || (cwd === undefined && fault !== undefined)) yield summary
  }
}

interface Wanted {
  readonly id: SessionId
  readonly warnings: readonly string[]
}

/**
 * The session that a text names, or the newest of this folder. Where that one cannot be read, opening it says so: an older one is
 * not what was asked for. Newer ones that may be of any folder are passed over, with a warning.
 */
async function wanted(text: string | undefined, options: ChoiceOptions): Promise<Wanted> {
  if (text !== undefined && text !== '') return { id: await findSession(text, options), warnings: [] }
  const { cwd } = options.host
  const faults: string[] = []
  for await (const { id, cwd: folder, fault = '' } of sessionsIn(cwd, options)) {
    if (folder === cwd) return { id, warnings: faults }
    faults.push(fault)
  }
  const words = [`no earlier session in ${cwd}`, ...faults.slice(0, 3), 'begin one with: pipe "prompt"']
  throw new PipeError('input', words.join('; '))
}

async function reopen(id: SessionId, options: ChoiceOptions): Promise<ChosenSession> {
  const { log, loaded } = await options.store.open(id, reading(options))
  return { log, earlier: loaded.session, warnings: [...(log.warnings ?? []), ...warningsOf(id, loaded)], id }
}

/** A file that has lost its beginning goes on as a new one begins. */
function reading({ signal, systemPrompt, host }: ChoiceOptions): ReadingOptions {
  return { signal, ifLost: { systemPrompt, cwd: host.cwd } }
}

async function begin(
  id: SessionId,
  { store, host, systemPrompt, signal }: ChoiceOptions,
): Promise<ChosenSession> {
  const createdAt = new Date(host.clock.now()).toISOString()
  const log = await store.create({ id, systemPrompt, createdAt, cwd: host.cwd }, { signal })
  return { log, earlier: undefined, warnings: log.warnings ?? [], id }
}

async function fork(source: SessionId, options: ChoiceOptions): Promise<ChosenSession> {
  const loaded = await options.store.load(source, reading(options))
  const { systemPrompt, messages } = loaded.session
  const copy = await begin(options.host.newId.session(), { ...options, systemPrompt })
  for (const message of messages) await copy.log.append(message)
  return { ...copy, earlier: loaded.session, warnings: [...copy.warnings, ...warningsOf(source, loaded)] }
}

/** A conversation that is not kept, which may go on from one that is. */
async function unsaved(source: SessionId | undefined, options: ChoiceOptions): Promise<ChosenSession> {
  const nothing = () => Promise.resolve()
  const id = options.host.newId.session()
  const log = { id, unsaved: undefined, append: nothing, sync: nothing, close: nothing }
  if (source === undefined) return { log, earlier: undefined, warnings: [], id: undefined }
  const loaded = await options.store.load(source, reading(options))
  return { log, earlier: loaded.session, warnings: warningsOf(source, loaded), id: undefined }
}

function warningsOf(id: SessionId, { damage }: LoadedSession): readonly string[] {
  return damage.map(
    ({ line, reason }) => `session ${id}, line ${line}: ${reason} (skipped, kept in the file)`,
  )
}
