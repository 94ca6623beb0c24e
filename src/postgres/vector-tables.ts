import { PipeError } from '../error.ts'
import type { Database, Query } from './database.ts'
import type { SchemaPart } from './database-schema.ts'

/** The tables of vectors. A database of tasks alone does without them, and without the extension that they need. */
export const vectorTables: SchemaPart = {
  versions: 'vector_migrations',
  // As with tasks, a step that has been released is never changed.
  steps: [
    `
create table pipe.vector_collections (
  name text collate "C" primary key,
  model text not null,
  dimensions integer not null,
  generation text not null
);

create table pipe.vectors (
  collection text collate "C" not null references pipe.vector_collections on delete cascade,
  id text collate "C" not null,
  embedding vector not null,
  metadata jsonb not null,
  primary key (collection, id)
);
create index on pipe.vectors using gin (metadata jsonb_path_ops);
`,
  ],
  prepare: createExtension,
}

/** Creates the extension if its user may. Throws `config` that says what to run if not. */
async function createExtension(database: Database, query: Query): Promise<void> {
  if (await hasExtension(query)) return
  try {
    await query('create extension vector')
  } catch (error) {
    if (database.failure(error).code === 'network') throw error
    throw new PipeError('config', missingExtension(database.shown), { cause: error })
  }
}

/** Whether the database has the type `vector`. */
export async function hasExtension(query: Query): Promise<boolean> {
  return (await query("select from pg_extension where extname = 'vector'")).length > 0
}

export function missingExtension(shown: string): string {
  return `the database ${shown} lacks the extension for vectors: install pgvector on its server, then run there as a superuser: CREATE EXTENSION vector`
}
