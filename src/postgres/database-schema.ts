import { hasCode, PipeError, throwIfAborted } from '../error.ts'
import type { Database, Query } from './database.ts'
import { migrations } from './migrations.ts'

interface Cancellable {
  readonly signal: AbortSignal
}

/** Tables with a version of their own. */
export interface SchemaPart {
  /** Table of the versions that were reached, in the schema `pipe`. */
  readonly versions: string
  /** The steps to the present version, in order. */
  readonly steps: readonly string[]
  /** Runs before the first step, in its transaction. */
  prepare?(database: Database, query: Query): Promise<void>
}

/** The tables of tasks. */
export const taskTables: SchemaPart = { versions: 'migrations', steps: migrations }

/** Keeps everything of pipe in the schema `pipe` of a database, which others may share. */
export class Schema {
  readonly #database: Database
  readonly #part: SchemaPart
  #ready: Promise<void> | undefined

  constructor(database: Database, part: SchemaPart) {
    this.#database = database
    this.#part = part
  }

  /** Creates what is missing, at the first call. Throws `input` if a newer version of pipe has written it. */
  async ensure({ signal }: Cancellable): Promise<void> {
    for (;;) {
      throwIfAborted(signal)
      this.#ready ??= this.#migrate(signal)
      const ready = this.#ready
      try {
        return await ready
      } catch (error) {
        if (this.#ready === ready) this.#ready = undefined
        // Another caller began it, and was interrupted.
        if (!hasCode(error, 'aborted')) throw error
      }
    }
  }

  /** Whether there is something to read. Brings older tables up to date, but creates none. Throws as `ensure`. */
  async isThere({ signal }: Cancellable): Promise<boolean> {
    if (this.#ready === undefined) {
      const version = await this.#version(this.#reading(signal))
      if (version === 0) return false
      if (version === this.#part.steps.length) this.#ready = Promise.resolve()
    }
    await this.ensure({ signal })
    return true
  }

  #reading(signal: AbortSignal): Query {
    return (text, values = []) => this.#database.read(text, values, { signal })
  }

  async #migrate(signal: AbortSignal): Promise<void> {
    const { versions, steps } = this.#part
    if ((await this.#version(this.#reading(signal))) === steps.length) return
    await this.#database.transaction(
      async (query) => {
        await query("select pg_advisory_xact_lock(hashtextextended('pipe schema', 0))")
        const version = await this.#version(query)
        if (version === 0) {
          await this.#part.prepare?.(this.#database, query)
          await create(query, versions)
        }
        for (const [i, step] of steps.entries()) {
          if (i < version) continue
          await query(step)
          await query(`insert into pipe.${versions} (version) values ($1)`, [i + 1])
        }
      },
      { signal },
    )
  }

  async #version(query: Query): Promise<number> {
    const version = await schemaVersion(query, this.#part)
    const known = this.#part.steps.length
    if (version <= known) return version
    throw new PipeError(
      'input',
      `the schema pipe in ${this.#database.shown} has version ${version}, which needs a newer pipe: this one knows ${known}`,
    )
  }
}

/** Reads the version of a part of the schema; 0 if there is none. */
export async function schemaVersion(query: Query, { versions }: SchemaPart): Promise<number> {
  // Not by `to_regclass`, which remembers for a whole transaction that there was no table.
  const [found] = await query<{ exists: boolean }>(
    `select exists (select from pg_class where relname = $1
       and relnamespace = (select oid from pg_namespace where nspname = 'pipe'))`,
    [versions],
  )
  if (found?.exists !== true) return 0
  const [row] = await query<{ version: number | null }>(
    `select max(version) as version from pipe.${versions}`,
  )
  return row?.version ?? 0
}

async function create(query: Query, versions: string): Promise<void> {
  const [encoding] = await query<{ server_encoding: string }>('show server_encoding')
  if (encoding?.server_encoding !== 'UTF8')
    throw new PipeError(
      'config',
      `the database has the encoding ${encoding?.server_encoding}, but texts of pipe need UTF8`,
    )
  // Whoever may use a schema that exists need not have the right to create one, which `if not exists` demands.
  const found = await query("select from pg_namespace where nspname = 'pipe'")
  if (found.length === 0) await query('create schema pipe')
  await query(
    `create table pipe.${versions} (version integer primary key, applied_at timestamptz not null default now())`,
  )
}
