import { basename } from 'node:path'
import { formatAge } from '../../frontend/words/age.ts'
import { formatBytes } from '../../frontend/words/amount.ts'
import { skippedNote } from '../../frontend/words/skipped-note.ts'
import type { SessionElsewhere, SessionSummary } from '../../session.ts'
import type { PickerItem } from '../picker/picker.ts'

export interface SessionItemsOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Id of a session to leave out. */
  readonly except?: string | undefined
  /** Receives a note at the end if sessions that cannot be read were left out. */
  readonly note: (text: string) => void
}

/** Returns sessions as items to choose, in their order. */
export async function* sessionItems(
  sessions: AsyncIterable<SessionSummary | SessionElsewhere>,
  { now, except, note }: SessionItemsOptions,
): AsyncGenerator<PickerItem, undefined, undefined> {
  let unread = 0
  for await (const session of sessions) {
    const { id, title, opening = '', gitBranch, cwd = '', updatedAt, size, fault } = session
    if (fault !== undefined) unread += 1
    if (id === except || fault !== undefined) continue
    const isElsewhere = 'isOfRepository' in session
    const place = isElsewhere ? [basename(cwd)] : gitBranch === undefined ? [] : [gitBranch]
    const facts = [formatAge(updatedAt, now), size === undefined ? '' : formatBytes(size), ...place]
    const label = (title ?? opening).replace(/\s+/g, ' ').trim() || '(no message yet)'
    const preview = [opening, isElsewhere ? cwd : '', gitBranch, id].filter(Boolean).join('\n')
    const group = isElsewhere && { group: session.isOfRepository ? 'this repository' : 'other folders' }
    yield { id, label, facts, preview, ...group }
  }
  const skipped = skippedNote(unread)
  if (skipped !== undefined) note(skipped)
}
