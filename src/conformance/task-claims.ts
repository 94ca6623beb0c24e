import { strict as assert } from 'node:assert'
import type { TaskClaims } from '../event-store.ts'
import { type ConformanceCase, casesOnTasks, throwsCode } from './suite.ts'

/** Claims of one process, without a claim, for one case. */
export interface ClaimsSubject {
  readonly claims: TaskClaims
  /** Opens the same claims as another process would. */
  reopen(): TaskClaims
  close?(): Promise<void>
}

const { signal } = new AbortController()

/** The promises of all claims. */
export function claimsConformance(create: () => Promise<ClaimsSubject>): readonly ConformanceCase[] {
  const about = casesOnTasks(create)
  return [
    about('lets one worker at a time claim a task', async ({ claims, reopen }, [one, two]) => {
      const other = reopen()
      const held = await claims.claim(one, { signal })
      assert.ok(held)
      assert.equal(await other.claim(one, { signal }), undefined)
      assert.equal(await claims.claim(one, { signal }), undefined)
      const free = await other.claim(two, { signal })
      assert.ok(free)
      await held.release()
      const next = await other.claim(one, { signal })
      assert.ok(next)
      assert.equal(await claims.claim(one, { signal }), undefined)
      for (const claim of [free, next]) await claim.release()
    }),
    about('releases a claim once, and no other', async ({ claims, reopen }, [one]) => {
      const first = await claims.claim(one, { signal })
      await first?.release()
      const second = await reopen().claim(one, { signal })
      assert.ok(second)
      await first?.release()
      assert.equal(await claims.claim(one, { signal }), undefined)
      await second.release()
    }),
    about('keeps a claim that is not lost', async ({ claims, reopen }, [one, two]) => {
      const held = await claims.claim(one, { signal })
      await (await reopen().claim(two, { signal }))?.release()
      assert.equal(held?.lost.aborted, false)
      await held?.release()
      assert.equal(held?.lost.aborted, false)
    }),
    about('lets one of many win', async ({ claims, reopen }, [one]) => {
      const all = [claims, reopen(), reopen(), reopen()]
      const taken = await Promise.all(all.map((each) => each.claim(one, { signal })))
      assert.equal(taken.filter((claim) => claim !== undefined).length, 1)
      for (const claim of taken) await claim?.release()
    }),
    about('claims nothing for a signal that has fired', async ({ claims }, [one]) => {
      await throwsCode('aborted', () => claims.claim(one, { signal: AbortSignal.abort() }))
      await (await claims.claim(one, { signal }))?.release()
    }),
  ]
}
