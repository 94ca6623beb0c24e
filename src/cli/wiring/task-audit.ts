import type { SessionId } from '../../id.ts'
import type { EntryOptions } from '../../json/audit/format.ts'

/** The audit log of a task's session. */
export interface TaskAuditOptions extends Pick<EntryOptions, 'redact' | 'detail'> {
  readonly session: SessionId
  /** Entries are refused once a newer attempt has begun. Absent: a person writes. */
  readonly attempt?: number
  /** Throws `conflict` once another process may write the session. */
  readonly requireHeld?: () => void
}
