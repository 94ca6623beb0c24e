import type { EntryOptions } from '../../../json/audit/format.ts'

/** The audit log of a task's session. */
export interface TaskAuditOptions extends Pick<EntryOptions, 'redact' | 'detail'> {
  /** Entries are refused once a newer attempt has begun. Absent: a person writes. */
  readonly attempt?: number
}
