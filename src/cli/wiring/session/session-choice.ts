import { realPathOf } from '../../../config/trust/project-root.ts'
import { failureOf, hasCode, unreachable } from '../../../error.ts'
import { branchOf, branchUpTo, headOf } from '../../../history/branch.ts'
import { firstWords } from '../../../history/title-text.ts'
import { type MessageId, readSessionId, type SessionId } from '../../../id.ts'
import type { Message } from '../../../message.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { Redact } from '../../../redaction/redaction.ts'
import type {
  LoadedSession,
  ReadingOptions,
  Session,
  SessionChoice,
  SessionLog,
  SessionStore,
} from '../../../session.ts'
import type { Machine } from '../../machine.ts'
import type { Choices } from '../run-choices.ts'
import { findSession, wantedSession } from './found-session.ts'

export interface ChosenSession {
  readonly log: SessionLog
  /** The session's earlier contents, of its current branch only. */
  readonly earlier: Session | undefined
  /** The last message in the log. Default: the last of the branch. */
  readonly lastWritten?: MessageId | undefined
  /** Warnings about unreadable parts and about access by others. */
  readonly warnings: readonly string[]
  /** Absent if nothing is saved. */
  readonly id: SessionId | undefined
}

export interface ChoiceOptions {
  readonly store: SessionStore
  readonly choices: Pick<Choices, 'session' | 'isSaved' | 'parent' | 'history'>
  readonly machine: Machine
  readonly systemPrompt: string
  /** Removes secrets from the title of a session that begins with a history. */
  readonly redactTitle: Redact
  readonly signal: AbortSignal
}

/** Opens the chosen session for writing: a new, earlier, copied or unsaved one. */
export async function chooseSession(options: ChoiceOptions): Promise<ChosenSession> {
  const { choices, machine } = options
  const { session, isSaved } = choices
  switch (session.type) {
    case 'new':
      return isSaved ? beginWithHistory(machine.newId.session(), options) : unsaved(undefined, options)
    case 'named': {
      const id = readSessionId(session.id)
      if (isSaved) return reopenOrBegin(id, options)
      const known = await options.store.find(id, { signal: options.signal })
      return unsaved(
        known.find((one) => one === id),
        options,
      )
    }
    case 'resume':
    case 'fork': {
      const found = await wantedSession(session, options)
      if (found === undefined)
        return chooseSession({ ...options, choices: { ...choices, session: begun(session) } })
      const { id, warnings } = found
      const open = isSaved ? { resume: reopenHere, fork }[session.type] : unsaved
      const chosen = await open(id, options)
      return { ...chosen, warnings: [...warnings, ...chosen.warnings] }
    }
    default:
      return unreachable(session)
  }
}

/** Returns the new session in place of one that there is not. */
function begun(session: SessionChoice): SessionChoice {
  return session.type === 'fork' && session.as !== undefined
    ? { type: 'named', id: session.as }
    : { type: 'new' }
}

interface ForkOptions extends Pick<ChoiceOptions, 'store' | 'machine' | 'signal'> {
  /** The last message to copy. Default: the last of the current branch. */
  readonly message: string | undefined
}

/** A session that was copied. */
interface Fork {
  readonly id: SessionId
  readonly from: SessionId
  readonly warnings: readonly string[]
}

/** Copies the named session into a new one of this folder. Throws `input`. */
export async function forkSession(name: string, options: ForkOptions): Promise<Fork> {
  const from = await findSession(name, options)
  const session = { type: 'fork', id: from, message: options.message } as const
  const choices = { session, isSaved: true, parent: undefined, history: undefined }
  const { log, warnings } = await fork(from, {
    ...options,
    choices,
    systemPrompt: '',
    redactTitle: (text) => text,
  })
  await log.close()
  return { id: log.id, from, warnings }
}

async function reopenOrBegin(id: SessionId, options: ChoiceOptions): Promise<ChosenSession> {
  try {
    return await reopen(id, options)
  } catch (error) {
    if (!hasCode(error, 'not_found')) throw error
  }
  try {
    return await begin(id, options)
  } catch (error) {
    // Another process may have begun it while this one waited for its lock.
    const exists = hasCode(error, 'conflict') && error.details['holder'] === undefined
    if (exists) return reopen(id, options)
    throw error
  }
}

async function reopen(id: SessionId, options: ChoiceOptions): Promise<ChosenSession> {
  const { log, loaded } = await options.store.open(id, reading(options))
  try {
    const session = await atChosenPoint(loaded.session, log, options)
    const warnings = warningsOf(id, loaded)
    return { log, ...continued(session), warnings, id }
  } catch (error) {
    await log.close()
    throw error
  }
}

/** Reopens a session for the user. If its folder is gone, it belongs to this one from now on. */
async function reopenHere(id: SessionId, options: ChoiceOptions): Promise<ChosenSession> {
  const chosen = await reopen(id, options)
  const { earlier, log } = chosen
  const { cwd: here } = options.machine
  if (earlier?.cwd === undefined || earlier.parent !== undefined || realPathOf(earlier.cwd) === earlier.cwd)
    return chosen
  try {
    const failure = await failureOf(log.update({ movedTo: here }))
    const notSaved = failure === undefined ? '' : `; this was not saved: ${failure.message}`
    const warning = `session ${id} now belongs to ${here}, because its folder ${earlier.cwd} is gone${notSaved}`
    const moved = { ...earlier, cwd: here, movedTo: here }
    return { ...chosen, earlier: moved, warnings: [...chosen.warnings, warning] }
  } catch (error) {
    await log.close()
    throw error
  }
}

/** Moves the head of a session to the chosen message, if there is one. No question stays open on the branch that is left. */
async function atChosenPoint(session: Session, log: SessionLog, options: ChoiceOptions): Promise<Session> {
  if (chosenPoint(options) === undefined) return session
  const moved = { head: headOf(chosenBranch(session, options)), pending: [] }
  await log.update(moved)
  return { ...session, ...moved }
}

/** Returns the branch up to the chosen message, or the current branch. */
function chosenBranch(session: Session, options: ChoiceOptions): readonly Message[] {
  const point = chosenPoint(options)
  return point === undefined ? branchOf(session) : branchUpTo(session, point)
}

function chosenPoint({ choices: { session } }: ChoiceOptions): string | undefined {
  return session.type === 'resume' || session.type === 'fork' ? session.message : undefined
}

/** Returns a session as its current branch continues it. */
function continued(session: Session): Pick<ChosenSession, 'earlier' | 'lastWritten'> {
  const lastWritten = session.messages.at(-1)?.id
  return { earlier: { ...session, messages: branchOf(session) }, lastWritten }
}

/** Replaces a lost file header with that of a new session. */
function reading({ signal, systemPrompt, machine }: ChoiceOptions): ReadingOptions {
  return { signal, ifLost: { systemPrompt, cwd: machine.cwd } }
}

async function begin(
  id: SessionId,
  { store, choices, machine, systemPrompt, signal }: ChoiceOptions,
): Promise<ChosenSession> {
  const createdAt = new Date(machine.clock.now()).toISOString()
  const { cwd } = machine
  const parent = omitUndefined({ parent: choices.parent })
  const log = await store.create({ id, systemPrompt, createdAt, cwd, ...parent }, { signal })
  return { log, earlier: undefined, warnings: [], id }
}

/** Begins a session with the messages that it is given. */
async function beginWithHistory(id: SessionId, options: ChoiceOptions): Promise<ChosenSession> {
  const { choices, redactTitle } = options
  const messages = choices.history ?? []
  const chosen = await begin(id, options)
  const [first] = messages
  if (first === undefined) return chosen
  const asked = messages.find(({ type }) => type === 'user') ?? first
  const title = firstWords(asked, redactTitle)
  try {
    for (const message of messages) await chosen.log.append(message, omitUndefined({ title }))
  } catch (error) {
    await chosen.log.close()
    throw error
  }
  return { ...chosen, earlier: beganWith(id, options) }
}

/** Returns the session as it begins with the messages that it is given; `undefined` if there are none. */
function beganWith(id: SessionId, { choices, systemPrompt }: ChoiceOptions): Session | undefined {
  const messages = choices.history ?? []
  const [first] = messages
  if (first === undefined) return undefined
  const { timestamp } = messages.at(-1) ?? first
  return { id, systemPrompt, createdAt: first.timestamp, updatedAt: timestamp, messages }
}

async function fork(source: SessionId, options: ChoiceOptions): Promise<ChosenSession> {
  const loaded = await options.store.load(source, reading(options))
  const { systemPrompt } = loaded.session
  const messages = chosenBranch(loaded.session, options).map(
    ({ parentId: _, ...message }): Message => message,
  )
  const { session } = options.choices
  const as = session.type === 'fork' && session.as !== undefined ? readSessionId(session.as) : undefined
  const copy = await begin(as ?? options.machine.newId.session(), { ...options, systemPrompt })
  const { title } = loaded.session
  try {
    for (const message of messages) await copy.log.append(message, omitUndefined({ title }))
  } catch (error) {
    await copy.log.close()
    throw error
  }
  return {
    ...copy,
    earlier: { ...loaded.session, messages },
    warnings: [...copy.warnings, ...warningsOf(source, loaded)],
  }
}

/** Starts an unsaved conversation, which may continue a saved one. */
async function unsaved(source: SessionId | undefined, options: ChoiceOptions): Promise<ChosenSession> {
  const nothing = () => Promise.resolve()
  const id = options.machine.newId.session()
  const log = { id, unsaved: undefined, append: nothing, update: nothing, sync: nothing, close: nothing }
  if (source === undefined) return { log, earlier: beganWith(id, options), warnings: [], id: undefined }
  const loaded = await options.store.load(source, reading(options))
  const messages = chosenBranch(loaded.session, options)
  const earlier = { ...loaded.session, messages, pending: [] }
  return { log, earlier, warnings: warningsOf(source, loaded), id: undefined }
}

function warningsOf(id: SessionId, { damage }: LoadedSession): readonly string[] {
  return damage.map(
    ({ line, reason }) => `session ${id}, line ${line}: ${reason} (skipped, kept in the file)`,
  )
}
