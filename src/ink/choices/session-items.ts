import type { SessionSummary } from '../../session.ts'
import { formatAge } from '../../text/age.ts'
import { formatBytes } from '../../text/amount.ts'
import { skippedNote } from '../../text/skipped-note.ts'
import type { PickerItem } from '../picker/picker.ts'

export interface SessionItemsOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Id of a session to leave out. */
  readonly except?: string | undefined
  /** Receives a note at the end if sessions that cannot be read were left out. */
  readonly note: (text: string) => void
}

export const sessionsTitle = 'Continue which conversation?'

/** Returns sessions as items to choose, in their order. */
export async function* sessionItems(
  sessions: AsyncIterable<SessionSummary>,
  { now, except, note }: SessionItemsOptions,
): AsyncGenerator<PickerItem, undefined, undefined> {
  let unread = 0
  for await (const { id, title, opening = '', gitBranch, updatedAt, size, fault } of sessions) {
    if (fault !== undefined) unread += 1
    if (id === except || fault !== undefined) continue
    const place = gitBranch === undefined ? [] : [gitBranch]
    const facts = [formatAge(updatedAt, now), size === undefined ? '' : formatBytes(size), ...place]
    const label = (title ?? opening).replace(/\s+/g, ' ').trim() || '(no message yet)'
    yield { id, label, facts, preview: [opening, gitBranch, id].filter(Boolean).join('\n') }
  }
  const skipped = skippedNote(unread)
  if (skipped !== undefined) note(skipped)
}
