import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditEntry, AuditLog } from '../../../src/audit.ts'
import { type CheckOptions, checkAudit } from '../../../src/json/audit/check.ts'
import { type AuditLogOptions, createAuditLog } from '../../../src/json/audit/log.ts'
import { readAuditLines } from '../../../src/json/audit/read-audit-log.ts'
import { createRedactor } from '../../../src/redaction/redaction.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { signal } from '../folder.ts'
import { sessionId } from '../session-id.ts'

/** The audit log of the session of these tests; its one known secret is `hunter2-hunter2`. */
export function openAudit(directory: string, detail: AuditLogOptions['detail'] = 'full'): AuditLog {
  return createAuditLog({
    directory,
    session: sessionId(),
    cwd: '/home/ada',
    clock: stillClock(),
    newId: countingIds(),
    redact: createRedactor(['hunter2-hunter2']),
    detail,
  })
}

export function auditFile(directory: string): string {
  return join(directory, `${sessionId()}.jsonl`)
}

/** An entry with a number as its text. */
export function entry(number: number): AuditEntry {
  return { decision: 'retry', actor: 'agent_pipe', audit: { attempt: number } }
}

/** Opens the log, writes these entries, and closes it. */
export async function write(directory: string, ...entries: readonly AuditEntry[]): Promise<void> {
  const log = openAudit(directory)
  for (const one of entries) log.append(one)
  await log.close()
}

/** The lines of the log. */
export async function readLog(directory: string): Promise<readonly Record<string, unknown>[]> {
  const lines = (await readFile(auditFile(directory), 'utf8')).trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

/** The entries without the fields that chain them. */
export async function contents(directory: string): Promise<readonly unknown[]> {
  const lines = await readLog(directory)
  return lines.map(({ seq: _, prev: __, hash: ___, ...content }) => content)
}

/** Checks the log. */
export function check(directory: string) {
  return checkFile({ directory, session: sessionId(), signal })
}

/** Checks a log on disk. */
export function checkFile({
  directory,
  signal: given,
  ...options
}: CheckOptions & { readonly directory: string; readonly signal: AbortSignal }) {
  return checkAudit(readAuditLines(options.session, { directory, signal: given }), options)
}
