import { isLoopMessage } from '../../agent/loop-message.ts'
import { renderText } from '../../export/text.ts'
import { transcriptOf } from '../../export/transcript.ts'
import { tell } from '../../terminal/output.ts'
import { printable } from '../../terminal/printable.ts'
import type { RunContext } from '../run-context.ts'
import { openSessions } from '../wiring/records.ts'
import { sessionsIn } from '../wiring/session-choice.ts'
import { sessionJson } from '../wiring/session-json.ts'
import { JsonList } from './json-list.ts'
import { encodeRow, openRows } from './session-row.ts'
import { loadNamed } from './stored-session.ts'

/** Lists the sessions of this folder or of all, newest first: one line each, or one JSON document. Reports unreadable sessions. */
export async function listSessions(context: RunContext): Promise<void> {
  const { host, flags, signal } = context
  const limit = flags.count('limit') ?? Number.POSITIVE_INFINITY
  const store = openSessions(host)
  const withFolder = flags.has('all')
  const listed = flags.format === 'json' ? new JsonList(host.stdout, 'sessions') : undefined
  const format = listed === undefined ? await openRows(context, { store, withFolder }) : undefined
  let count = 0
  for await (const summary of withFolder ? store.list({ signal }) : sessionsIn(host.cwd, { store, signal })) {
    if (summary.fault !== undefined) tell(host, summary.fault)
    if (summary.cwd === undefined && !withFolder) continue
    if (format !== undefined) host.stdout.write(`${format(summary)}\n`)
    else listed?.add(encodeRow(summary))
    if (++count >= limit) break
  }
  listed?.end()
  if (count === 0 && host.stderr.isTerminal)
    tell(host, 'no sessions here; pipe sessions --all lists all folders')
}

/** Shows the current branch of a session as text, or the whole session as its file holds it. */
export async function showSession(id: string, context: RunContext): Promise<void> {
  const { host, flags } = context
  const session = await loadNamed(id, context)
  const parts =
    flags.format === 'json'
      ? sessionJson(session)
      : renderText(transcriptOf(session, { clean: printable, isLoopMessage }))
  for (const part of parts) host.stdout.write(part)
}
