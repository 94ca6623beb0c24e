import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll } from 'vitest'

const run = promisify(execFile)

/** A database of the tests. */
export interface TestDatabase {
  readonly url: string
  /** Runs statements on a connection of their own. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
  /** Removes what pipe has stored in it. */
  clear(): Promise<void>
}

/** The URL of a server: the machine's, or one that is started for these tests. `undefined` where PostgreSQL is not installed. */
export const postgresServer: string | undefined = await findServer()

/** Creates a database, dropped after the tests of the file. Call it where `postgresServer` is known. */
export async function createDatabase(): Promise<TestDatabase> {
  if (postgresServer === undefined) throw new Error('PostgreSQL is not installed')
  const server = postgresServer
  const name = `pipe_test_${randomBytes(8).toString('hex')}`
  await ask(server, `create database ${name} template template0 encoding 'UTF8'`)
  afterAll(() => ask(server, `drop database ${name} with (force)`))
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href
  const query: TestDatabase['query'] = (text, values) => ask(url, text, values)
  return { url, query, clear: async () => void (await query('drop schema if exists pipe cascade')) }
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
  process.on('exit', () => execFileSync(...as('pg_ctl', ['-D', data, '-m', 'immediate', 'stop'])))
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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
