import { isAbsolute } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { findDirectories } from '../../../config/directories.ts'
import type { Settings } from '../../../config/settings.ts'
import { isPipeError, PipeError, throwIfAborted } from '../../../error.ts'
import { beforeFirst, isMessageId, readSessionId, type SessionId } from '../../../id.ts'
import type { ForeignSession } from '../../../import/read-session.ts'
import { redactedStore } from '../../../json/sessions/redacted-store.ts'
import { listStoredFiles } from '../../../json/stored-files.ts'
import type { Message } from '../../../message.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { LoadedSession, SessionLog, SessionStore } from '../../../session.ts'
import { realFolder } from '../../host.ts'
import type { RunContext } from '../../run-context.ts'
import { openRedactor } from '../audit/open-audit-log.ts'
import { keyHolder, providerNames } from '../model/chosen-server.ts'
import { findKey, openKeys } from '../model/provider-keys.ts'
import { composeSystemPrompt, openSessions } from '../session-records.ts'

export interface Saving {
  /** For messages to the user. */
  readonly file: string
  /** Saves it with a new id, even if it was imported before. */
  readonly isAgain: boolean
  readonly settings: Settings
  readonly context: Pick<RunContext, 'host' | 'signal'>
}

export interface SavedImport {
  readonly id: SessionId
  /** The folder of the session. */
  readonly cwd: string
  /** The reason why that is not the folder that the file names. */
  readonly movedBecause?: string
  /** The model that continues it, `provider/model`. Absent: the user must name one. */
  readonly model?: string | undefined
}

/**
 * Saves a session of another agent, which has a message, as a new one; nothing if it fails or is interrupted. The session keeps its id,
 * so that it is found again and imported once. Throws `conflict` if it was imported before, whole or in part.
 */
export async function saveImport(session: ForeignSession, saving: Saving): Promise<SavedImport> {
  const { settings, context } = saving
  const { host, signal } = context
  const store = await openStore(saving)
  const id = await chooseId(session, store, saving)
  const folder = folderFor(session, host.cwd)
  const createdAt = session.messages[0]?.timestamp ?? new Date(host.clock.now()).toISOString()
  const model = await usableModel(session.messages, saving)
  const systemPrompt = composeSystemPrompt({}, settings)
  const log = await store.create({ id, systemPrompt, createdAt, cwd: folder.cwd }, { signal })
  try {
    await appendAll(session, { log, signal, model })
  } catch (error) {
    await discard(id, host)
    throw error
  }
  return { id, ...folder, model }
}

interface Appending {
  readonly log: SessionLog
  readonly signal: AbortSignal
  readonly model?: string | undefined
}

/** Appends all messages, and closes the log. Until the last one, the head names a message that is not there: see `isPart`. */
async function appendAll(session: ForeignSession, { log, signal, model }: Appending): Promise<void> {
  const { messages, title } = session
  const last = messages.at(-1)?.id
  try {
    for (const message of messages) {
      // Signals arrive between tasks only, and appending waits for none.
      await setImmediate()
      throwIfAborted(signal)
      const head = message.id === last ? (session.head ?? last) : last
      await log.append(message, omitUndefined({ title, head, model }))
      if (log.unsaved !== undefined) throw log.unsaved
    }
  } finally {
    await log.close()
  }
}

/** Whether a session is what a killed import left. A damaged one may have lost its head, and is worth keeping. */
function isPart({ session: { messages, head }, damage }: LoadedSession): boolean {
  return damage.length === 0 && head !== beforeFirst && !messages.some(({ id }) => id === head)
}

/** Deletes the part of an import that was saved. The reason why it is not saved whole matters more than a failure here. */
async function discard(id: SessionId, host: RunContext['host']): Promise<void> {
  const { sessions: directory } = findDirectories(host.env, host.home)
  try {
    const { erase } = await import('./erase-sessions.ts')
    const names = (await listStoredFiles(directory)).get(id) ?? []
    const conflict = await erase({ id, names }, { machine: host, signal: new AbortController().signal })
    if (conflict !== undefined) throw conflict
  } catch (error) {
    if (!isPipeError(error)) throw error
    host.warn(`the part that was imported stays as session ${id}: ${error.message}`)
  }
}

async function openStore({ settings, context }: Saving): Promise<SessionStore> {
  const store = openSessions(context.host)
  return settings.redact_sessions === true
    ? redactedStore(store, await openRedactor(context.host, settings))
    : store
}

async function chooseId(
  { sourceId = '' }: ForeignSession,
  store: SessionStore,
  { file, isAgain, context }: Saving,
): Promise<SessionId> {
  const { host, signal } = context
  if (isAgain || !isMessageId(sourceId)) return host.newId.session()
  const id = readSessionId(sourceId)
  if (!(await store.find(id, { signal })).includes(id)) return id
  const loaded = await store.load(id, { signal })
  throw new PipeError(
    'conflict',
    isPart(loaded)
      ? `${file} is only partly imported as session ${id}, because that import did not finish: delete the part with pipe sessions delete ${id}, then import the file again`
      : `${file} is already imported as session ${id}: continue that with pipe -r ${id}, or import the file once more with --again`,
  )
}

/** Returns the real path of the folder that a file names, or `here` and the reason why that cannot be. */
function folderFor({ cwd }: ForeignSession, here: string): Pick<SavedImport, 'cwd' | 'movedBecause'> {
  if (cwd === undefined) return { cwd: here, movedBecause: 'the file names no folder' }
  if (!isAbsolute(cwd))
    return { cwd: here, movedBecause: `the file names a folder that is not absolute, ${cwd}` }
  try {
    return { cwd: realFolder(cwd, `its folder ${cwd}`) }
  } catch (error) {
    if (!isPipeError(error)) throw error
    return { cwd: here, movedBecause: error.message }
  }
}

/** Returns the model that spoke last if there is a key for it, else that of the settings. */
async function usableModel(
  messages: readonly Message[],
  { settings, context: { host } }: Saving,
): Promise<string | undefined> {
  const last = messages.findLast((message) => message.type === 'assistant')
  const { provider = '', model = '' } = last ?? {}
  if (!providerNames(settings).includes(provider) || model === '') return settings.model
  const holder = keyHolder(provider, settings)
  const needsKey = holder.apiKeyEnv !== undefined
  const hasKey = findKey(holder, { env: host.env, stored: await openKeys(host) }) !== undefined
  return hasKey || !needsKey ? `${provider}/${model}` : settings.model
}
