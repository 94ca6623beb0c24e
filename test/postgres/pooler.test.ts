import { beforeEach, describe, expect, it } from 'vitest'
import { createHandClock } from '../support/clocks/hand-clock.ts'
import { hasPgBouncer, startPgBouncer } from '../support/databases/pgbouncer.ts'
import { describeWithDatabase } from '../support/databases/postgres.ts'
import { bareEvents, taskId } from '../support/tasks/task-events.ts'
import { thrown } from '../support/thrown.ts'
import { openHere } from './open-here.ts'

const { signal } = new AbortController()

const refusal = {
  code: 'config',
  message: expect.stringMatching(/is a transaction pooler, so no lock lasts/),
}

describeWithDatabase('behind PgBouncer', (database) => {
  beforeEach(() => database.clear())

  describe.skipIf(!hasPgBouncer)('tasks', () => {
    it('are claimed by one worker at a time if it pools by session', async () => {
      const url = await startPgBouncer(database.url, { mode: 'session' })
      const [one, other] = [openHere(url), openHere(url)]
      const held = await one.claims.claim(taskId(1), { signal })
      expect(held?.lost.aborted).toBe(false)
      expect(await other.claims.claim(taskId(1), { signal })).toBeUndefined()
      await held?.release()
      expect(await other.claims.claim(taskId(1), { signal })).toBeDefined()
      expect(await one.check({ signal })).toMatchObject({ pooling: 'by session' })
    })

    it('can be worked on with three connections by session, and with one it says what a worker needs', async () => {
      const three = openHere(await startPgBouncer(database.url, { mode: 'session', poolSize: 3 }))
      expect(await three.claims.claim(taskId(1), { signal })).toBeDefined()
      await three.events.ensureSchema({ signal })
      const ids = Array.from({ length: 9 }, (_, i) => taskId(i + 1))
      await Promise.all(ids.map((id) => three.events.append(id, bareEvents(id).slice(0, 1), { signal })))
      const clock = createHandClock()
      const one = openHere(await startPgBouncer(database.url, { mode: 'session', poolSize: 1 }), { clock })
      const failing = thrown(() => one.claims.claim(taskId(2), { signal }))
      // Two answers have come on the first connection; the limit of the second one runs.
      await expect.poll(() => [clock.slept.length, clock.sleeping]).toEqual([3, 1])
      clock.advance(5_000)
      expect(await failing).toMatchObject({
        code: 'network',
        message: expect.stringMatching(/a worker needs 3 connections of a session pooler/),
      })
    })

    it.each([
      { poolSize: 20, inTurn: 0 },
      { poolSize: 20, inTurn: 1 },
      { poolSize: 2, inTurn: 1 },
      { poolSize: 1, inTurn: 0 },
    ])('are refused if it pools by transaction: $poolSize connections, in turn: $inTurn', async (choice) => {
      const settings = [`server_round_robin = ${choice.inTurn}`]
      const url = await startPgBouncer(database.url, { mode: 'transaction', ...choice, settings })
      const stores = openHere(url)
      expect(await thrown(() => stores.claims.claim(taskId(1), { signal }))).toMatchObject(refusal)
      expect(await stores.check({ signal })).toEqual({ version: 0, needed: 1, pooling: 'shared' })
    })

    it('are refused if it pools by statement', async () => {
      const stores = openHere(await startPgBouncer(database.url, { mode: 'statement' }))
      expect(await thrown(() => stores.claims.claim(taskId(1), { signal }))).toMatchObject(refusal)
      expect(await stores.check({ signal })).toMatchObject({ pooling: 'shared' })
    })

    it.each([0, 1])('are never claimed twice where many open at once, in turn: %i', async (inTurn) => {
      const settings = [`server_round_robin = ${inTurn}`]
      const url = await startPgBouncer(database.url, { mode: 'transaction', settings })
      for (let round = 1; round <= 5; round++) {
        const stores = Array.from({ length: 8 }, () => openHere(url))
        const claims = await Promise.allSettled(
          stores.map(({ claims: own }) => own.claim(taskId(round), { signal })),
        )
        const held = claims.filter((one) => one.status === 'fulfilled' && one.value !== undefined)
        expect(held.length).toBeLessThan(2)
        const failures = claims.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
        expect(new Set([...failures, 'config'])).toEqual(new Set(['config']))
      }
    })
  })
})
