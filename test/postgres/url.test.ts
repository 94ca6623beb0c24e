import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readDatabaseUrl } from '../../src/postgres/url.ts'
import { describeWithDatabase } from '../support/databases/postgres.ts'
import { thrown } from '../support/thrown.ts'
import { openHere } from './open-here.ts'

const { signal } = new AbortController()
const secret = 'hunter2-hunter2'

describe('the URL of a database', () => {
  it.each([
    [`postgres://ada:${secret}@host:5433/db`, 'postgres://ada@host:5433/db'],
    [`postgresql://ada@host/db?password=${secret}`, 'postgresql://ada@host/db'],
    ['postgres://a%20b@host/db', 'postgres://a b@host/db'],
    ['postgres:///db?host=/var/run/postgresql', 'postgres:///db?host=/var/run/postgresql'],
    [`postgres://ada:${secret}@/db?host=/run`, 'postgres://ada@/db?host=/run'],
    ['postgres://ada@%2Frun/db', 'postgres://ada@%2Frun/db'],
    ['postgres://[::1]:5433/db', 'postgres://[::1]:5433/db'],
  ])('is shown without its password: %s', (text, shown) => {
    expect(readDatabaseUrl(text).shown).toBe(shown)
  })

  it.each([
    [
      `postgres://ada:${secret}@one:5432,two:5432/db`,
      /can have only one host: name the server that takes writes/,
    ],
    [`postgres://ada:${secret}@one,two/db?target_session_attrs=read-write`, /can have only one host/],
    [`postgres://ada:${secret}@/db?host=one,two`, /can have only one host/],
    [`postgres://ada:${secret}@host/db?sslmode=allow`, /cannot have this sslmode; there are prefer, require/],
    [`postgres://ada:${secret}@host:port/db`, /must be a URL such as/],
  ])('says why it cannot be used: %s', async (text, message) => {
    const error = await thrown(() => readDatabaseUrl(text))
    expect(error).toMatchObject({ code: 'config', message: expect.stringMatching(message) })
    expect(String(error)).not.toContain(secret)
  })
})

describeWithDatabase('a database behind a socket', (database) => {
  it('is reached by each form of its URL', async (context) => {
    const [row] = await database.query<{ folders: string; port: string }>(
      "select current_setting('unix_socket_directories') as folders, current_setting('port') as port",
    )
    const folder = row?.folders.split(',')[0]?.trim() ?? ''
    // A server in a container has its socket there.
    if (!existsSync(join(folder, `.s.PGSQL.${row?.port}`))) return context.skip()
    const name = new URL(database.url).pathname
    const encoded = encodeURIComponent(folder)
    for (const url of [
      `postgres://postgres@${encoded}:${row?.port}${name}`,
      `postgres://${name}?host=${folder}&port=${row?.port}&user=postgres`,
      `postgres://postgres@${name}?host=${folder}&port=${row?.port}`,
    ])
      expect(await openHere(url).check({ signal })).toMatchObject({ version: 0, pooling: 'none' })
  })
})
