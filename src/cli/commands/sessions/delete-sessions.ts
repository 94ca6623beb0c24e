import { findDirectories } from '../../../config/directories.ts'
import { hasCode } from '../../../error.ts'
import { counted, formatBytes } from '../../../frontend/words/amount.ts'
import type { SessionId } from '../../../id.ts'
import { summaryOf } from '../../../json/sessions/session-summary.ts'
import { listStoredFiles, type StoredFiles, storedBytes } from '../../../json/stored-files.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { printWarning } from '../../../terminal/output.ts'
import type { RunContext } from '../../run-context.ts'
import { type Erasable, eraseSessions } from '../../wiring/session/erase-sessions.ts'
import { findSession } from '../../wiring/session/found-session.ts'
import { openSessions } from '../../wiring/session-records.ts'
import { confirmDeletion } from '../confirmation.ts'
import { JsonList } from '../json-list.ts'
import { shownTitle } from './session-row.ts'

/** A session that the user named. */
interface Named extends Erasable {
  readonly title: string
  /** Absent if its file cannot be read. */
  readonly messages?: number
  readonly files: number
  readonly bytes: number
}

/** Deletes sessions with their files and their elves, but not their audit logs. Asks first. Throws `input`, and `conflict` if one is in use. */
export async function deleteSessions(words: readonly string[], context: RunContext): Promise<void> {
  const { host, flags, signal } = context
  const store = openSessions(host)
  const ids = new Set<SessionId>()
  for (const word of words) ids.add(await findSession(word, { store, signal }))
  for await (const { id, parentId } of store.list({ signal }))
    if (parentId !== undefined && ids.has(parentId)) ids.add(id)
  const stored = listStoredFiles(findDirectories(host.env, host.home).sessions)
  const named: Named[] = []
  for (const id of ids) named.push(await describe(id, stored, context))
  if (flags.has('dry-run')) return report(named, 'would_delete', context)
  if (!(await confirmDeletion(questionOf(named), 'sessions delete', context))) {
    printWarning(host, 'nothing was deleted')
    return report([], 'deleted', context)
  }
  await report(eraseAll(named, stored, context), 'deleted', context)
  if (host.stderr.isTerminal) printWarning(host, 'audit logs are kept: pipe audit list')
}

/** Writes a row for each session as it is pulled. */
async function report(
  sessions: Iterable<Named> | AsyncIterable<Named>,
  name: 'deleted' | 'would_delete',
  { host, flags }: RunContext,
): Promise<void> {
  const list = flags.format === 'json' ? new JsonList(host.stdout, name) : undefined
  try {
    for await (const { id, title, bytes } of sessions) {
      if (list !== undefined) list.add({ id, ...omitUndefined({ title: title || undefined }), bytes })
      else host.stdout.write(`${name.replace('_', ' ')}: ${id}  ${title}\n`)
    }
  } finally {
    list?.end()
  }
}

async function* eraseAll(named: readonly Named[], stored: StoredFiles, { host, flags, signal }: RunContext) {
  const waitMs = flags.duration('wait-lock') ?? 0
  const erasing = { machine: host, stored, waitMs, signal }
  for await (const { session, conflict } of eraseSessions(named, erasing)) {
    if (conflict !== undefined) throw conflict
    yield session
  }
}

async function describe(id: SessionId, stored: StoredFiles, { host, signal }: RunContext): Promise<Named> {
  const { sessions: directory } = findDirectories(host.env, host.home)
  const names = stored.get(id) ?? []
  const facts = { id, title: '', files: names.length, bytes: await storedBytes(directory, names) }
  try {
    const { session } = await openSessions(host).load(id, { signal })
    const { cwd, messages } = session
    return {
      ...facts,
      title: shownTitle(summaryOf(session)),
      messages: messages.length,
      ...omitUndefined({ cwd }),
    }
  } catch (error) {
    if (hasCode(error, 'input')) return facts
    throw error
  }
}

function questionOf(named: readonly Named[]): string {
  const [only, second] = named
  if (only !== undefined && second === undefined) return `Delete ${inWords(only)}?`
  return `${named.map((one) => `${inWords(one)}\n`).join('')}Delete these ${named.length} sessions?`
}

function inWords({ id, title, messages, bytes }: Named): string {
  const size = formatBytes(bytes)
  if (messages === undefined) return `${id} (cannot be read, ${size})`
  return `${title === '' ? id : JSON.stringify(title)} (${counted(messages, 'message')}, ${size})`
}
