import type { Clock } from '../clock.ts'
import type { EventStore } from '../event-store.ts'
import type { NewId } from '../id.ts'
import type { TaskClaims } from '../task-claims.ts'
import { Database } from './database.ts'
import { DedicatedConnection } from './dedicated-connection.ts'
import { createEventStore } from './event-store.ts'
import type { EventFormat } from './formats.ts'
import { Schema } from './schema.ts'
import { createTaskClaims } from './task-claims.ts'

export interface TaskDatabaseOptions {
  /** `postgres://…`. A missing password comes from PGPASSWORD or `~/.pgpass`. */
  readonly url: string
  readonly clock: Clock
  readonly newId: NewId
  readonly formats: { readonly events: EventFormat }
  /** Warns the user in one line. */
  readonly warn: (line: string) => void
}

/** The stores of tasks in one database. Connections are opened when they are needed. */
export interface TaskDatabase {
  readonly events: EventStore
  readonly claims: TaskClaims
  /** Closes all stores, and releases all claims. */
  close(): Promise<void>
}

/** Opens the stores of tasks in a database. Throws `config` for a malformed URL. */
export function openTaskDatabase({ url, clock, newId, formats, warn }: TaskDatabaseOptions): TaskDatabase {
  const database = new Database({ url, clock })
  const schema = new Schema(database)
  const dedicated = new DedicatedConnection(database, clock)
  const shared = { database, schema, dedicated, clock }
  const events = createEventStore({ ...shared, format: formats.events, newId, warn })
  return {
    events,
    claims: createTaskClaims(dedicated),
    close: async () => {
      await events.close()
      await dedicated.close()
      await database.close()
    },
  }
}
