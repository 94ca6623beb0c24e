import { oneLine } from '../characters/one-line.ts'
import { minuteOf } from '../characters/shown-time.ts'
import { PipeError } from '../error.ts'
import { counted } from '../frontend/words/amount.ts'
import { skippedNote } from '../frontend/words/skipped-note.ts'
import { tableText } from '../frontend/words/text-table.ts'
import { isReplay, type SessionSummary } from '../session.ts'
import { printable } from '../terminal/printable.ts'
import type { AskLine } from './line-question.ts'

/** Most sessions in a list: one screen of a plain terminal. */
const mostListed = 20
const widestTitle = 60

/** The newest sessions, in a list from which a number chooses. */
export interface SessionList {
  readonly ids: readonly string[]
  /** The list as the user sees it, one line a session. */
  readonly text: string
}

/** Reads the newest readable sessions, except for one. Hides replays of recordings beside others. Throws `input` if there are none. */
export async function recentSessions(
  sessions: AsyncIterable<SessionSummary>,
  except?: string,
): Promise<SessionList> {
  const usual: SessionSummary[] = []
  const replays: SessionSummary[] = []
  let hasMore = false
  let unread = 0
  for await (const session of sessions) {
    if (session.fault !== undefined) unread += 1
    if (session.id === except || session.fault !== undefined) continue
    if (isReplay(session)) replays.push(session)
    else if (usual.length < mostListed) usual.push(session)
    else hasMore = true
    if (hasMore) break
  }
  const skipped = skippedNote(unread)
  const notes = skipped === undefined ? [] : [skipped]
  const found = usual.length > 0 ? usual : replays.slice(0, mostListed)
  if (found.length === 0) throw new PipeError('input', [noSession, ...notes].join('; '))
  const rows = found.map(({ updatedAt, title, opening }, i) => [
    String(i + 1).padStart(2),
    minuteOf(updatedAt),
    printable(oneLine(title ?? opening ?? '(no message yet)', widestTitle)),
  ])
  const hidden = usual.length > 0 ? replays.length : 0
  const all = 'pipe sessions lists all of them'
  const more =
    hidden > 0
      ? [`    … ${counted(hidden, 'replay')} hidden; ${all}`]
      : hasMore || replays.length > found.length
        ? [`    … ${all}`]
        : []
  return { ids: found.map(({ id }) => id), text: [tableText(rows), ...more, ...notes].join('\n') }
}

const noSession = 'there is no other session in this folder to continue'

/** Asks for the number of a session until the answer is one. Returns its id; `undefined` if the user leaves. */
export async function askForSession(
  { ids }: SessionList,
  askLine: AskLine,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (
    let ask = 'Continue which? (Enter: 1) ';
    ;
    ask = `Type a number from 1 to ${ids.length}, or Ctrl+D to leave: `
  ) {
    const line = await askLine(ask, signal)
    if (line === undefined) return undefined
    const id = ids[Number(line.trim() || 1) - 1]
    if (id !== undefined) return id
  }
}
