import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'
import { freePort } from '../servers/free-port.ts'

const run = promisify(execFile)

/** A database of the tests. */
export interface TestDatabase {
  /** Known once the tests run. */
  readonly url: string
  /** Runs a statement on a connection of its own. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
  /** Removes what pipe has stored in it. */
  clear(): Promise<void>
}

/** The URL of a server: the machine's, or one that is started for these tests. `undefined` where PostgreSQL is not installed. */
const server: string | undefined = await findServer()

/** Describes tests with a database of their own, dropped after them. Skips them where PostgreSQL is not installed. */
export function describeWithDatabase(name: string, tests: (database: TestDatabase) => void): void {
  describe.skipIf(server === undefined)(name, () => {
    const url = new URL(server ?? 'postgres://none')
    const database = `pipe_test_${randomBytes(8).toString('hex')}`
    url.pathname = `/${database}`
    const query: TestDatabase['query'] = (text, values) => ask(url.href, text, values)
    beforeAll(async () => {
      await ask(server ?? '', `create database ${database} template template0 encoding 'UTF8'`)
    })
    afterAll(async () => {
      await ask(server ?? '', `drop database if exists ${database} with (force)`)
    })
    tests({
      url: url.href,
      query,
      clear: async () => void (await query('drop schema if exists pipe cascade')),
    })
  })
}

/** Lets a database only be read, as a copy during a fail-over, and ends its connections. */
export async function makeReadOnly({ url, query }: TestDatabase): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  await query(`alter database ${name} set default_transaction_read_only = on`)
  await query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
}

/** Ends what `makeReadOnly` has begun. */
export async function makeWritable({ url, query }: TestDatabase): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  await query(`begin read write; alter database ${name} reset default_transaction_read_only; commit`)
}

async function ask<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end()
  }
}

async function findServer(): Promise<string | undefined> {
  const usual = 'postgres://postgres@127.0.0.1:5432/postgres'
  return (await answers(usual)) ? usual : startServer()
}

async function answers(url: string): Promise<boolean> {
  try {
    await ask(url, 'select 1')
    return true
  } catch {
    return false
  }
}

/** Starts a server of Debian's package, which ends with this process. It does not run as root, so it gets the package's user. */
async function startServer(): Promise<string | undefined> {
  const programs = findPrograms()
  if (programs === undefined) return undefined
  const isRoot = process.getuid?.() === 0
  const folder = await mkdtemp(join(tmpdir(), 'pipe-postgres-'))
  await chmod(folder, 0o777)
  const as = (program: string, args: readonly string[]): [file: string, args: string[]] => {
    const path = join(programs, program)
    return isRoot ? ['runuser', ['-u', 'postgres', '--', path, ...args]] : [path, [...args]]
  }
  const data = join(folder, 'data')
  const port = await freePort()
  try {
    await run(...as('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']))
    const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`
    const log = join(folder, 'log')
    await run(...as('pg_ctl', ['-D', data, '-l', log, '-o', settings, '-w', '-t', '60', 'start']))
  } catch {
    return undefined
  }
  // Its input ends with this process, however that ends.
  const end = 'cat; "$@"; rm -rf "$0"'
  const stop = as('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']).flat()
  spawn('bash', ['-c', end, folder, ...stop], { stdio: ['pipe', 'ignore', 'ignore'], detached: true }).unref()
  return `postgres://postgres@127.0.0.1:${port}/postgres`
}

function findPrograms(): string | undefined {
  const root = '/usr/lib/postgresql'
  try {
    const [newest] = readdirSync(root).sort((a, b) => Number(b) - Number(a))
    return newest && join(root, newest, 'bin')
  } catch {
    return undefined
  }
}
