import type { Query } from './database.ts'
import type { SchemaPart } from './database-schema.ts'

/** A fault that keeps pipe from working with a database, and its remedy. */
export interface Lack {
  readonly text: string
  readonly remedy: string
}

interface Facts {
  readonly reads: boolean
  readonly encoding: string
  /** Whether the schema exists; then whether it may be used, and added to. */
  readonly exists: boolean
  readonly may_create: boolean
  readonly has_tables: boolean
  /** A table that may not be read or written. */
  readonly closed: string | null
}

const facts = `
with own as (select oid from pg_namespace where nspname = 'pipe'),
  tables as (select pg_class.oid, relname from pg_class join own on relnamespace = own.oid where relname = any($1))
select current_setting('transaction_read_only') = 'on' as reads,
  current_setting('server_encoding') as encoding,
  exists (select from own) as exists,
  coalesce(
    (select has_schema_privilege(oid, 'usage') and has_schema_privilege(oid, 'create') from own),
    has_database_privilege(current_database(), 'create')) as may_create,
  exists (select from tables) as has_tables,
  coalesce(
    (select 'the schema pipe' from own where not has_schema_privilege(oid, 'usage')),
    (select 'the table pipe.' || min(relname) from tables
     where not has_table_privilege(oid, 'select') or not has_table_privilege(oid, 'insert, update'))) as closed`

/** Looks for what is missing, without a change. */
export async function findLack(query: Query, { versions, steps }: SchemaPart): Promise<Lack | undefined> {
  const [row] = await query<Facts>(facts, [[versions, ...steps.flatMap(tablesOf)]])
  if (row === undefined) return undefined
  if (row.reads) return { text: 'this server is read-only', remedy: 'name the one that takes writes' }
  if (row.encoding !== 'UTF8')
    return {
      text: `the database has the encoding ${row.encoding}, but texts of pipe need UTF8`,
      remedy: "create one with ENCODING 'UTF8' TEMPLATE template0",
    }
  const place = row.exists ? 'add tables to the schema pipe' : 'create the schema pipe'
  if (!row.has_tables && !row.may_create)
    return {
      text: `its user may not ${place}`,
      remedy: `grant that right, or let one who has it run pipe once`,
    }
  if (row.closed === null) return undefined
  return {
    text: `its user may not use ${row.closed}`,
    remedy: 'GRANT USAGE ON SCHEMA pipe and ALL ON ALL TABLES IN SCHEMA pipe to it',
  }
}

function tablesOf(step: string): readonly string[] {
  return [...step.matchAll(/create table pipe\.(\w+)/g)].flatMap(([, name]) => name ?? [])
}
