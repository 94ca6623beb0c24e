import type { NewId } from '../id.ts'
import type { VectorStore } from '../memory/vector-store.ts'
import { Database, type DatabaseOptions, type Query } from './database.ts'
import { Schema, schemaVersion } from './database-schema.ts'
import { findLack } from './lack.ts'
import { createVectorStore } from './vector-store.ts'
import { hasExtension, missingExtension, vectorTables } from './vector-tables.ts'

export interface CollectionOptions extends DatabaseOptions {
  readonly newId: Pick<NewId, 'message'>
  /** Keeps vectors of one kind and origin apart from others in the database. */
  readonly collection: string
  /** The embedder's model, `provider/model`. Vectors of another one do not count, and the next write drops them. */
  readonly model: string
}

/** Opens vectors in a database. Connections are opened when they are needed. Throws `config` for a malformed URL. */
export function openVectorDatabase({ newId, collection, model, ...options }: CollectionOptions): VectorStore {
  const database = new Database(options)
  const schema = new Schema(database, vectorTables)
  return createVectorStore({ database, schema, newId, collection, model })
}

/** Facts about a database for `pipe doctor`. */
export interface VectorDatabase {
  /** Its address without the password. */
  readonly shown: string
  /** The version of its tables; 0 if there are none yet. */
  readonly version: number
  /** The version that this program needs. */
  readonly needed: number
  /** Names the missing part, and says how to add it. */
  readonly lack?: string
}

/** Looks at a database without a change to it. Throws `network`, `config`, `aborted`. */
export async function checkVectorDatabase(
  options: DatabaseOptions,
  signal: AbortSignal,
): Promise<VectorDatabase> {
  const database = new Database(options)
  try {
    const { shown } = database
    const read: Query = (text, values = []) => database.read(text, values, { signal })
    const needed = vectorTables.steps.length
    const missing = await findLack(read, vectorTables)
    if (missing !== undefined)
      return { shown, version: 0, needed, lack: `${shown}: ${missing.text}; ${missing.remedy}` }
    const version = await schemaVersion(read, vectorTables)
    const isReady = (await hasExtension(read)) || (await isAvailable(read))
    const lack = isReady ? {} : { lack: missingExtension(shown) }
    return { shown, version, needed, ...lack }
  } finally {
    await database.close()
  }
}

/** Whether the extension is installed on the server, so that its user may be able to create it. */
async function isAvailable(query: Query): Promise<boolean> {
  return (await query("select from pg_available_extensions where name = 'vector'")).length > 0
}
