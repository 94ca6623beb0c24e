import { join } from 'node:path'
import type { AuditEntry, AuditLog } from '../../src/audit.ts'
import { createAuditLog } from '../../src/json/audit-log.ts'
import { createRedactor } from '../../src/redaction.ts'
import { countingIds } from '../support/ids.ts'
import { stillClock } from '../support/still-clock.ts'
import { sessionId } from './session-id.ts'

/** The audit log of the session of these tests; its one known secret is `hunter2-hunter2`. */
export function openAudit(directory: string): AuditLog {
  return createAuditLog({
    directory,
    session: sessionId(),
    cwd: '/home/ada',
    clock: stillClock(),
    newId: countingIds(),
    redact: createRedactor(['hunter2-hunter2']),
  })
}

export function auditFile(directory: string): string {
  return join(directory, `${sessionId()}.jsonl`)
}

/** An entry that says its number. */
export function entry(number: number): AuditEntry {
  return { decision: 'retry', actor: 'agent_pipe', audit: { attempt: number } }
}
