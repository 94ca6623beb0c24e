import { expect, it, onTestFinished } from 'vitest'
import { systemIds } from '../../src/cli/host.ts'
import { systemClock } from '../../src/cli/system-clock.ts'
import { vectorStoreConformance } from '../../src/conformance/vector-store.ts'
import { checkVectorDatabase, openVectorDatabase } from '../../src/postgres/vector-database.ts'
import { conforms } from '../support/conforms.ts'
import { startVectorServer } from '../support/databases/pglite.ts'
import { describeWithDatabase } from '../support/databases/postgres.ts'
import { createTurns } from '../support/sessions/in-turn.ts'
import { slowDescribe } from '../support/thorough.ts'
import { thrown } from '../support/thrown.ts'

const { signal } = new AbortController()
const vector = (...values: readonly number[]) => Float32Array.from(values)

const place = (url: string) => ({ url, clock: systemClock, passwordFile: '/nowhere/.pgpass' })

function open(url: string, model = 'it/small', collection = 'recall') {
  return openVectorDatabase({ ...place(url), newId: systemIds(), collection, model })
}

function openHere(...args: Parameters<typeof open>) {
  const store = open(...args)
  onTestFinished(() => store.close())
  return store
}

const check = (url: string) => checkVectorDatabase(place(url), signal)

slowDescribe('in PostgreSQL with pgvector', () => {
  const server = startVectorServer()
  const clear = () => server.exec('drop schema if exists pipe cascade')

  conforms(
    'the vectors',
    vectorStoreConformance(async () => {
      await clear()
      // This server has one session for all connections, so statements of two must not mix.
      const inTurn = createTurns()
      const reopen = (model?: string) => inTurn(open(server.url, model))
      return { store: reopen(), reopen }
    }),
  )

  it('keeps collections apart', async () => {
    await clear()
    const one = openHere(server.url, 'it/a', 'one')
    const two = openHere(server.url, 'it/b', 'two')
    await one.upsert('x', vector(1, 0), { of: 'one' }, { signal })
    await two.upsert('x', vector(1, 0, 0), { of: 'two' }, { signal })
    await one.removeWhere({}, { signal })
    expect(await one.search(vector(1, 0), 9, { signal })).toEqual([])
    const found = await two.searchScored(vector(1, 0, 0), 9, { signal })
    expect(found).toEqual([{ id: 'x', score: 1, metadata: { of: 'two' } }])
  })

  it('creates its tables when they are needed, and refuses newer ones', async () => {
    await clear()
    const shown = server.url.replace('?sslmode=disable', '')
    expect(await check(server.url)).toEqual({ shown, version: 0, needed: 1 })
    await openHere(server.url).upsert('x', vector(1), {}, { signal })
    expect(await check(server.url)).toEqual({ shown, version: 1, needed: 1 })
    await server.exec('insert into pipe.vector_migrations (version) values (99)')
    const newer = openHere(server.url)
    expect(await thrown(() => newer.search(vector(1), 1, { signal }))).toMatchObject({
      code: 'input',
      message: expect.stringContaining('has version 99, which needs a newer pipe'),
    })
  })
})

describeWithDatabase('in PostgreSQL without pgvector', ({ url, query }) => {
  it('says which extension is missing, and leaves nothing behind', async () => {
    const failure = {
      code: 'config',
      message: expect.stringMatching(/lacks the extension for vectors: .*CREATE EXTENSION vector$/),
    }
    const store = openHere(url)
    expect(await thrown(() => store.search(vector(1), 1, { signal }))).toMatchObject(failure)
    expect(await thrown(() => store.upsert('x', vector(1), {}, { signal }))).toMatchObject(failure)
    expect(await check(url)).toEqual({ shown: url, version: 0, needed: 1, lack: failure.message })
    expect(await query("select from pg_namespace where nspname = 'pipe'")).toEqual([])
  })
})
