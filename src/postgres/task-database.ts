import type { AuditLog } from '../audit.ts'
import type { EventStore, TaskClaims, WorkBundles } from '../event-store.ts'
import type { NewId, SessionId } from '../id.ts'
import type { SessionStore } from '../session.ts'
import { type AuditLogs, createAuditLog, createAuditLogs } from './audit-log.ts'
import { Database, type DatabaseOptions, type Query } from './database.ts'
import { Schema, schemaVersion, taskTables } from './database-schema.ts'
import type { Pooling } from './dedicated-client.ts'
import { DedicatedConnection } from './dedicated-connection.ts'
import { createEventStore } from './event-store.ts'
import type { AuditFormat, EventFormat, SessionFormat } from './formats.ts'
import { findLack, type Lack } from './lack.ts'
import { createSessionStore } from './session-store.ts'
import { createWorkBundles } from './work-bundles.ts'

export interface TaskDatabaseOptions extends DatabaseOptions {
  readonly newId: NewId
  /** The process that writes, and its machine. */
  readonly pid: number
  readonly host: string
  readonly formats: { readonly events: EventFormat; readonly sessions: SessionFormat }
  /** Warns the user in one line. */
  readonly warn: (line: string) => void
}

/** The attempt at a task that writes. None: a person. Once a newer attempt has begun, its writes are refused with `conflict`. */
export interface WritingAttempt {
  readonly attempt?: number | undefined
}

export interface AuditLogChoice extends WritingAttempt {
  readonly session: SessionId
  /** The working folder of the session. */
  readonly cwd: string
  readonly format: AuditFormat
  /** Throws `conflict` once another process may write the session. */
  readonly requireHeld?: () => void
}

/** Facts about a database for `pipe doctor`. */
export interface DatabaseState {
  /** The version of its schema; 0 if there is none yet. */
  readonly version: number
  /** The version that this program needs. */
  readonly needed: number
  /** Whether a pooler is between. If it is shared, locks and notifications get lost. */
  readonly pooling: Pooling
  /** The reasons why pipe cannot work with it. */
  readonly lack?: Lack
}

/** The stores of tasks in one database. Connections are opened when they are needed. */
export interface TaskDatabase {
  /** Its address without the password. */
  readonly shown: string
  readonly events: EventStore
  readonly claims: TaskClaims
  readonly bundles: WorkBundles
  /** Keeps long output of the commands of tasks. */
  readonly outputs: WorkBundles
  readonly audits: AuditLogs
  sessions(attempt?: WritingAttempt): SessionStore
  /** Opens the audit log of a session whose writer the caller is. */
  auditLog(choice: AuditLogChoice): AuditLog
  /** Looks at the database without a change to it. Throws `network`, `config`, `aborted`. */
  check(options: { readonly signal: AbortSignal }): Promise<DatabaseState>
  /** Closes all stores, and releases all locks. */
  close(): Promise<void>
}

/** Opens the stores of tasks in a database. Throws `config` for a malformed URL. */
export function openTaskDatabase(options: TaskDatabaseOptions): TaskDatabase {
  const { clock, newId, pid, host, formats, warn } = options
  const database = new Database(options)
  const schema = new Schema(database, taskTables)
  const dedicated = new DedicatedConnection(database, clock)
  const shared = { database, schema, dedicated, clock, newId }
  const events = createEventStore({ ...shared, format: formats.events, warn })
  return {
    shown: database.shown,
    events,
    claims: createTaskClaims(dedicated),
    bundles: createWorkBundles(shared),
    outputs: createWorkBundles({ ...shared, ending: '.output' }),
    audits: createAuditLogs(shared),
    sessions: (attempt = {}) =>
      createSessionStore({ ...shared, pid, host, format: formats.sessions, ...attempt }),
    auditLog: (choice) => createAuditLog({ ...shared, ...choice }),
    check: async (given) => {
      const query: Query = (text, values = []) => database.read(text, values, given)
      const needed = taskTables.steps.length
      const lack = await findLack(query, taskTables)
      if (lack !== undefined) return { version: 0, needed, pooling: 'none', lack }
      return { version: await schemaVersion(query, taskTables), needed, pooling: await dedicated.pooling() }
    },
    close: async () => {
      await events.close()
      await dedicated.close()
      await database.close()
    },
  }
}

/** Creates claims that are locks of the database: they end with the connection that holds them. */
function createTaskClaims(dedicated: DedicatedConnection): TaskClaims {
  return { claim: (taskId, { signal }) => dedicated.lock(`task ${taskId}`, signal) }
}
