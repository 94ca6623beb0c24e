import type { AuditEntry, AuditLog } from '../../src/audit.ts'
import { PipeError } from '../../src/error.ts'

/** An audit log in memory. `journal` notes what is written and synced, beside what others note there. */
export function recordingAudit(journal: string[] = [], fails: (entry: AuditEntry) => boolean = () => false) {
  const entries: AuditEntry[] = []
  const audit: AuditLog = {
    append: (entry) => {
      if (fails(entry)) throw new PipeError('internal', 'cannot write the log: the disk is full')
      journal.push(`audit ${entry.decision}`)
      entries.push(entry)
    },
    settle: () => undefined,
    sync: async () => void journal.push('audit sync'),
    close: async () => void journal.push('audit close'),
  }
  return { audit, entries }
}
