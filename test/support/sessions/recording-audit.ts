import type { AuditEntry, AuditLog } from '../../../src/audit.ts'
import { PipeError } from '../../../src/error.ts'

/**
 * An in-memory audit log. `journal` records entries and syncs among others' notes. A failing entry and all after it wait until it
 * succeeds. `details` are those of the error meanwhile: `{ reason: 'ENOSPC' }` for a full disk.
 */
export function recordingAudit(
  journal: string[] = [],
  fails: (entry: AuditEntry) => boolean = () => false,
  details: Readonly<Record<string, string>> = {},
) {
  const entries: AuditEntry[] = []
  const waiting: AuditEntry[] = []
  const write = () => {
    for (let next = waiting[0]; next !== undefined && !fails(next); next = waiting[0]) {
      entries.push(next)
      waiting.shift()
    }
  }
  const requireWritten = () => {
    write()
    if (waiting.length > 0)
      throw new PipeError('internal', 'cannot write the log: the disk is full', { details })
  }
  const audit: AuditLog = {
    unsaved: undefined,
    head: undefined,
    append: (entry) => {
      journal.push(`audit ${entry.decision}`)
      waiting.push(entry)
      write()
    },
    settle: requireWritten,
    sync: async () => {
      requireWritten()
      journal.push('audit sync')
    },
    close: async () => void journal.push('audit close'),
  }
  return { audit, entries }
}
