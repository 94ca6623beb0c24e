import { isMark } from '../../agent/history-mark.ts'
import { renderText } from '../../export/text.ts'
import { transcriptOf } from '../../export/transcript.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { tell } from '../../terminal/output.ts'
import { printable } from '../../terminal/printable.ts'
import type { RunContext } from '../run-context.ts'
import { openSessions } from '../wiring/records.ts'
import { sessionsIn } from '../wiring/session-choice.ts'
import { sessionJson } from '../wiring/session-json.ts'
import { JsonList } from './json-list.ts'
import { loadNamed } from './stored-session.ts'

/** Lists the sessions of this folder, newest first: one line each, or one JSON document. Reports unreadable sessions. */
export async function listSessions({ host, flags, signal }: RunContext): Promise<void> {
  const store = openSessions(host)
  const listed = flags.format === 'json' ? new JsonList(host.stdout, 'sessions') : undefined
  for await (const summary of sessionsIn(host.cwd, { store, signal })) {
    const { id, createdAt, updatedAt, cwd, title, opening, fault } = summary
    if (fault !== undefined) tell(host, fault)
    if (cwd === undefined) continue
    if (listed !== undefined) {
      listed.add({
        id,
        created_at: createdAt,
        updated_at: updatedAt,
        ...omitUndefined({ title, opening, fault }),
      })
      continue
    }
    const about = printable(title ?? opening ?? '').replace(/\s+/g, ' ')
    const mark = fault === undefined ? '' : '[cannot be read] '
    host.stdout.write(`${id}  ${updatedAt.slice(0, 16).replace('T', ' ')}  ${mark}${about.slice(0, 80)}\n`)
  }
  listed?.end()
}

/** Shows the current branch of a session as text, or the whole session as its file holds it. */
export async function showSession(id: string, context: RunContext): Promise<void> {
  const { host, flags } = context
  const session = await loadNamed(id, context)
  const parts =
    flags.format === 'json'
      ? sessionJson(session)
      : renderText(transcriptOf(session, { clean: printable, isMark }))
  for (const part of parts) host.stdout.write(part)
}
