import type { Settings } from '../../config/settings.ts'
import { PipeError } from '../../error.ts'
import { isMessageId, readSessionId, type SessionId } from '../../id.ts'
import type { ForeignSession } from '../../import/read-session.ts'
import { redactedStore } from '../../json/redacted-store.ts'
import type { Message } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { SessionStore } from '../../session.ts'
import { foundFolder } from '../host.ts'
import type { RunContext } from '../run-context.ts'
import { openRedactor } from './audit-log.ts'
import { findKey, openKeys } from './keys.ts'
import { composeSystemPrompt, openSessions } from './records.ts'
import { keyHolder, providerNames } from './server.ts'

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
  /** The model that continues it, `provider/model`. Absent: the user must name one. */
  readonly model: string | undefined
}

/**
 * Saves a session of another agent as a new one. It keeps its id, so that it is found again and imported once. Throws `conflict` if it
 * was imported before.
 */
export async function saveImport(session: ForeignSession, saving: Saving): Promise<SavedImport> {
  const { settings, context } = saving
  const { host, signal } = context
  const store = await openStore(saving)
  const id = await chooseId(session, store, saving)
  const cwd = foundFolder(session.cwd ?? '') ?? host.cwd
  const createdAt = session.messages[0]?.timestamp ?? new Date(host.clock.now()).toISOString()
  const model = await usableModel(session.messages, saving)
  const systemPrompt = composeSystemPrompt({}, settings)
  const log = await store.create({ id, systemPrompt, createdAt, cwd }, { signal })
  try {
    const { title, head } = session
    const state = omitUndefined({ title, head, model })
    for (const message of session.messages) await log.append(message, state)
  } finally {
    await log.close()
  }
  return { id, cwd, model }
}

async function openStore({ settings, context }: Saving): Promise<SessionStore> {
  const store = openSessions(context.host)
  return settings.redact_sessions === true ? redactedStore(store, await openRedactor(context.host)) : store
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
  throw new PipeError(
    'conflict',
    `${file} is already imported as session ${id}: continue that with pipe -r ${id}, or import the file once more with --again`,
  )
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
