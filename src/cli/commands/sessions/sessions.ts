import { openTranscript } from '../../../export/exported-transcript.ts'
import { renderText } from '../../../export/text-export.ts'
import { isLoopMessage } from '../../../message.ts'
import type { SessionStore } from '../../../session.ts'
import { printWarning } from '../../../terminal/output.ts'
import { printable } from '../../../terminal/printable.ts'
import type { RunContext } from '../../run-context.ts'
import { sessionJson } from '../../wiring/session/session-json.ts'
import { describeIfEmpty } from '../../wiring/session/sessions-elsewhere.ts'
import { sessionsIn } from '../../wiring/session/sessions-in.ts'
import { withAllSessions } from '../../wiring/session-records.ts'
import { elvesBelow } from './elves-below.ts'
import { SessionPrinter } from './session-rows.ts'
import { loadNamed } from './stored-session.ts'

/** Lists the sessions of this folder or of all, newest first, elves below their parents: one line each, or one JSON document. `--limit` does not count elves. Reports unreadable sessions. */
export function printSessions(context: RunContext): Promise<void> {
  return withAllSessions(context.host, (store) => listAll(store, context))
}

async function listAll(store: SessionStore, context: RunContext): Promise<void> {
  const { host, flags, signal } = context
  const limit = flags.count('limit') ?? Number.POSITIVE_INFINITY
  const withFolder = flags.has('all')
  const rows = await SessionPrinter.open(context, { store, withFolder })
  const listed = withFolder ? store.list({ signal }) : sessionsIn(host.cwd, { store, signal })
  for await (const summary of elvesBelow(listed)) {
    if (rows.count >= limit && summary.parentId === undefined) break
    if (summary.fault !== undefined) printWarning(host, summary.fault)
    if (summary.cwd === undefined && !withFolder) continue
    rows.add(summary)
  }
  rows.end()
  if (rows.count > 0) return
  const elsewhere = withFolder ? undefined : await describeIfEmpty(store, host, signal)
  if (elsewhere !== undefined) printWarning(host, `no sessions here; ${elsewhere}`)
  else if (host.stderr.isTerminal)
    printWarning(
      host,
      withFolder ? 'no sessions yet' : 'no sessions here; pipe sessions --all lists all folders',
    )
}

/** Shows the current branch of a session as text, or the whole session as its file holds it. */
export async function showSession(id: string, context: RunContext): Promise<void> {
  const { host, flags } = context
  const session = await loadNamed(id, context)
  const parts =
    flags.format === 'json'
      ? sessionJson(session)
      : renderText(openTranscript(session, { clean: printable, isLoopMessage }))
  for (const part of parts) host.stdout.write(part)
}
