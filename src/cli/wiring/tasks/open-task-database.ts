import type { AuditLog } from '../../../audit.ts'
import { auditFormat } from '../../../json/audit/format.ts'
import { sessionFormat } from '../../../json/sessions/session-format.ts'
import { eventFormat } from '../../../json/tasks/format.ts'
import { openTaskDatabase, type TaskDatabase, type WritingAttempt } from '../../../postgres/task-database.ts'
import type { SessionLog, SessionStore } from '../../../session.ts'
import type { Machine } from '../../machine.ts'
import type { TaskAuditOptions } from '../audit/task-audit.ts'
import { passwordFile } from './task-store.ts'

export interface SharedTasks extends Omit<TaskDatabase, 'auditLog' | 'sessions'> {
  sessions(options?: WritingAttempt): Promise<SessionStore>
  openAudit(session: SessionLog, options: TaskAuditOptions): AuditLog
}

/** Opens the stores of tasks in a database. Its own file, so that the driver is loaded only where a store names one. */
export function openSharedTasks(machine: Machine, url: string): SharedTasks {
  const { clock, newId, pid, hostname: host, cwd, warn } = machine
  const formats = { events: eventFormat, sessions: sessionFormat }
  const { auditLog, sessions, ...stores } = openTaskDatabase({
    url,
    passwordFile: passwordFile(machine),
    clock,
    newId,
    pid,
    host,
    warn,
    formats,
  })
  return {
    ...stores,
    sessions: async (attempt) => sessions(attempt),
    openAudit: (log, { redact, detail, attempt }) => {
      const format = auditFormat({ clock, newId, redact, detail })
      const requireHeld = () => log.requireHeld?.()
      return auditLog({ session: log.id, cwd, format, requireHeld, attempt })
    },
  }
}
