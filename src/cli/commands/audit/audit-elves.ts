import { isSessionId, type SessionId } from '../../../id.ts'
import { readAudit } from '../../../json/audit/read-audit-log.ts'
import type { JsonValue } from '../../../json-value.ts'
import type { NamedLog } from './named-log.ts'

/** An elf, as the log of its parent knows it. */
export interface ElfLog {
  readonly sessionId: SessionId
  readonly name: string
  /** The last hash of its log at its end. Absent if it has not ended, or kept no log. */
  readonly head?: string
}

/** Finds the elves that a log names, in the order of their starts. */
export async function elvesIn(log: Pick<NamedLog, 'lines'>): Promise<readonly ElfLog[]> {
  const elves = new Map<SessionId, ElfLog>()
  for await (const { decision, audit } of readAudit(log.lines())) {
    if (decision !== 'elf_started' && decision !== 'elf_ended') continue
    const { session_id: id, name, audit_head: head } = audit
    if (typeof id !== 'string' || !isSessionId(id)) continue
    elves.set(id, { sessionId: id, name: textOf(name), ...(typeof head === 'string' && { head }) })
  }
  return [...elves.values()]
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : 'elf'
}
