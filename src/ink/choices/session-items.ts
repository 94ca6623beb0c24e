import { basename } from 'node:path'
import { formatAge } from '../../frontend/words/age.ts'
import { formatBytes } from '../../frontend/words/amount.ts'
import { skippedNote } from '../../frontend/words/skipped-note.ts'
import { isReplay, type SessionElsewhere, type SessionSummary } from '../../session.ts'
import type { PickerItem } from '../picker/picker-item.ts'

export interface SessionItemsOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Id of a session to leave out. */
  readonly except?: string | undefined
  /** Returns the heading above a session. Default: there is none. */
  readonly groupOf?: ((session: SessionSummary | SessionElsewhere) => string) | undefined
  /** Receives a note at the end if sessions that cannot be read were left out. */
  readonly note: (text: string) => void
}

/** Names of the orders of sessions, one for each of an item's `sortKeys`. */
export const sessionOrders = ['last use', 'name', 'size']

const activityWords = {
  running: 'running',
  waiting: 'waits for you',
  done: 'done',
  failed: 'failed',
} as const

/** Returns sessions as items to choose, in their order. Those of a replay model are folded. */
export async function* sessionItems(
  sessions: AsyncIterable<SessionSummary | SessionElsewhere>,
  { now, except, groupOf, note }: SessionItemsOptions,
): AsyncGenerator<PickerItem, undefined, undefined> {
  let unread = 0
  for await (const session of sessions) {
    const { id, title, opening = '', gitBranch, cwd = '', updatedAt, size, fault, activity } = session
    if (fault !== undefined) unread += 1
    if (id === except || fault !== undefined) continue
    const isElsewhere = 'isOfRepository' in session
    const place = isElsewhere ? [basename(cwd)] : gitBranch === undefined ? [] : [gitBranch]
    const told = activity === undefined ? [] : [activityWords[activity]]
    const label = (title ?? opening).replace(/\s+/g, ' ').trim() || '(no message yet)'
    yield {
      id,
      label,
      facts: [...told, formatAge(updatedAt, now), size === undefined ? '' : formatBytes(size), ...place],
      preview: [opening, isElsewhere ? cwd : '', gitBranch, id].filter(Boolean).join('\n'),
      sortKeys: [-Date.parse(updatedAt), label, -(size ?? 0)],
      isFolded: isReplay(session),
      ...(groupOf && { group: groupOf(session) }),
    }
  }
  const skipped = skippedNote(unread)
  if (skipped !== undefined) note(skipped)
}
