import { beforeEach, expect, it } from 'vitest'
import type { TaskClaim } from '../../src/event-store.ts'
import { createHandClock } from '../support/clocks/hand-clock.ts'
import { startLendingPooler } from '../support/databases/lending-pooler.ts'
import { describeWithDatabase } from '../support/databases/postgres.ts'
import { layCable } from '../support/servers/cable.ts'
import { taskId } from '../support/tasks/task-events.ts'
import { thrown } from '../support/thrown.ts'
import { openStores } from './open.ts'
import { openHere } from './open-here.ts'

const { signal } = new AbortController()

const shared = expect.stringMatching(/is a transaction pooler/)

function present(claim: TaskClaim | undefined): TaskClaim {
  if (claim === undefined) throw new Error('the claim was refused')
  return claim
}

describeWithDatabase('claims of tasks in PostgreSQL', (database) => {
  beforeEach(() => database.clear())

  const open = () => openHere(database.url).claims
  const claim = async (claims = open(), number = 1) => claims.claim(taskId(number), { signal })

  it('are held by one worker at a time, in one process too', async () => {
    const [one, other] = [open(), open()]
    const held = present(await claim(one))
    expect(await claim(one)).toBeUndefined()
    expect(await claim(other)).toBeUndefined()
    expect(await claim(other, 2)).toBeDefined()
    await Promise.all([held.release(), held.release()])
    await held.release()
    expect(held.lost.aborted).toBe(false)
    const next = present(await claim(other))
    await held.release()
    expect(await claim(one)).toBeUndefined()
    await next.release()
    expect(await claim(one)).toBeDefined()
  })

  it('end with their stores', async () => {
    const stores = openStores(database.url)
    const held = present(await claim(stores.claims))
    await stores.close()
    expect(held.lost.aborted).toBe(true)
    expect(await claim()).toBeDefined()
    expect(await thrown(() => claim(stores.claims))).toMatchObject({ code: 'conflict' })
  })

  it('are lost when the server ends their connection, and another worker gets them', async () => {
    const claims = open()
    const held = [present(await claim(claims)), present(await claim(claims, 2))]
    await database.query(
      'select pg_terminate_backend(pid) from pg_locks where locktype = $1 and database = (select oid from pg_database where datname = current_database())',
      ['advisory'],
    )
    await expect.poll(() => held.map(({ lost }) => lost.aborted)).toEqual([true, true])
    expect(await claim()).toBeDefined()
    for (const one of held) await one.release()
    expect(await claim(claims, 2)).toBeDefined()
    expect(await claim(claims)).toBeUndefined()
  })

  it('are lost within ten seconds if the server falls silent', async () => {
    const url = new URL(database.url)
    const cable = await layCable({ host: url.hostname, port: Number(url.port) })
    url.port = String(cable.port)
    const clock = createHandClock()
    const stores = openStores(url.href, { clock })
    const held = present(await claim(stores.claims))
    clock.advance(60_000)
    await expect.poll(() => clock.sleeping).toBe(0)
    expect(held.lost.aborted).toBe(false)
    cable.cut()
    clock.advance(5_000)
    await expect.poll(() => clock.sleeping).toBe(1)
    expect(held.lost.aborted).toBe(false)
    clock.advance(5_000)
    expect(held.lost.aborted).toBe(true)
    await stores.close()
  })

  it('are not taken by a worker that was told to stop', async () => {
    const gone = { signal: AbortSignal.abort() }
    expect(await thrown(() => open().claim(taskId(1), gone))).toMatchObject({ code: 'aborted' })
    expect(await claim()).toBeDefined()
  })

  it('are refused by a pooler that lends the connection to others between statements', async () => {
    const pooler = await startLendingPooler(database.url)
    const stores = openHere(pooler.url)
    expect(await thrown(() => claim(stores.claims))).toMatchObject({
      code: 'config',
      message: shared,
    })
    expect(await stores.check({ signal })).toEqual({ version: 0, needed: 1, pooling: 'shared' })
    expect(await openHere(database.url).check({ signal })).toMatchObject({ pooling: 'none' })
  })
  it('are refused where another has the lock on the same connection, though no pooler was seen', async () => {
    const pooler = await startLendingPooler(database.url, { isHidden: true })
    const [one, other] = [openHere(pooler.url), openHere(pooler.url)]
    const held = present(await claim(one.claims))
    expect(await thrown(() => claim(other.claims))).toMatchObject({ code: 'config', message: shared })
    expect(await thrown(() => claim(other.claims, 2))).toMatchObject({ code: 'config', message: shared })
    expect(held.lost.aborted).toBe(false)
  })

  it('are refused once the connection is another one, and lost at the next sign of life', async () => {
    const pooler = await startLendingPooler(database.url, { isHidden: true })
    const clock = createHandClock()
    const [one, other] = [openHere(pooler.url, { clock }), openHere(pooler.url, { clock })]
    const held = present(await claim(one.claims))
    const unused = present(await claim(other.claims, 2))
    const before = clock.slept.length
    clock.advance(5_000)
    await expect.poll(() => [clock.slept.length - before, clock.sleeping]).toEqual([2, 0])
    expect(held.lost.aborted).toBe(false)
    await pooler.swap()
    expect(await thrown(() => claim(other.claims, 3))).toMatchObject({ code: 'config', message: shared })
    expect(unused.lost.aborted).toBe(true)
    clock.advance(5_000)
    await expect.poll(() => held.lost.aborted).toBe(true)
    expect(await thrown(() => claim(one.claims))).toMatchObject({ code: 'config', message: shared })
  })
})
