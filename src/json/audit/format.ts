import type { AuditEntry } from '../../audit.ts'
import type { Clock } from '../../clock.ts'
import { sha256 } from '../../files/lazy-crypto.ts'
import type { NewId } from '../../id.ts'
import type { JsonObject } from '../../json-value.ts'
import type { Redact } from '../../redaction/redaction.ts'
import { encodeEntry, encodeWhole } from './audit-entry.ts'
import { auditVersion, openLine, type Seal, sealLine, unsealed } from './audit-line.ts'
import { encodeMetadata } from './metadata.ts'

export interface EntryOptions {
  readonly clock: Clock
  readonly newId: Pick<NewId, 'message'>
  readonly redact: Redact
  /** `metadata` leaves out the conversation. Default: `full`. */
  readonly detail?: 'full' | 'metadata' | 'thoughts' | undefined
}

/** Encodes an entry as of now, without secrets. */
export function stampEntry(entry: AuditEntry, { clock, newId, redact, detail }: EntryOptions): JsonObject {
  const encode = detail === 'metadata' ? encodeMetadata : detail === 'thoughts' ? encodeWhole : encodeEntry
  const timestamp = new Date(clock.now()).toISOString()
  return { id: newId.message(), timestamp, ...encode(entry, redact) }
}

/** A new log. */
export interface LogBeginning {
  readonly session: string
  readonly cwd: string
  readonly createdAt: string
}

/** Encodes the first line of a log. */
export function headerFields({ session, cwd, createdAt }: LogBeginning): JsonObject {
  return { type: 'audit', version: auditVersion, session_id: session, created_at: createdAt, cwd }
}

/** The form of audit logs, for stores that keep their lines elsewhere. */
export function auditFormat(options: EntryOptions) {
  return {
    unsealed,
    header: headerFields,
    encode: (entry: AuditEntry): JsonObject => stampEntry(entry, options),
    seal: sealLine,
    /** Returns a seal for a damaged line too, so that later lines are sealed again. A check still finds the damage. */
    sealOf: (line: string, seq: number): Seal =>
      openLine(Buffer.from(line))?.seal ?? { seq, hash: sha256(line) },
  }
}
