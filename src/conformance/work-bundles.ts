import { strict as assert } from 'node:assert'
import type { WorkBundles } from '../event-store.ts'
import { type ConformanceCase, casesOnTasks, throwsCode } from './suite.ts'

/** Bundles without any, for one case. */
export interface BundlesSubject {
  readonly bundles: WorkBundles
  /** Opens the same bundles as another machine would. */
  reopen(): WorkBundles
  close?(): Promise<void>
}

const { signal } = new AbortController()
/** Bytes at the start of a bundle, in which its refs stand. */
const startLength = 4_096

/** The promises of all bundles. */
export function bundlesConformance(create: () => Promise<BundlesSubject>): readonly ConformanceCase[] {
  const about = casesOnTasks(create)
  return [
    about('gives a bundle to other machines, byte for byte', async ({ bundles, reopen }, [one, two]) => {
      const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i % 251)
      await bundles.put(one, bytes, { signal })
      const found = await reopen().get(one, { signal })
      assert.ok(found !== undefined && Buffer.from(bytes).equals(found))
      assert.equal(await reopen().get(two, { signal }), undefined)
    }),
    about('replaces a bundle as a whole, also by none', async ({ bundles, reopen }, [one]) => {
      await bundles.put(one, Buffer.from('the first, which is longer'), { signal })
      await bundles.put(one, Buffer.from('second'), { signal })
      assert.equal(String(await reopen().get(one, { signal })), 'second')
      await bundles.put(one, new Uint8Array(), { signal })
      assert.equal((await reopen().get(one, { signal }))?.length, 0)
    }),
    about('gives the start alone, where that is asked for', async ({ bundles }, [one, two]) => {
      await bundles.put(one, Buffer.from('short'), { signal })
      assert.equal(String(await bundles.start(one, { signal })), 'short')
      const long = Uint8Array.from({ length: 50_000 }, (_, i) => i % 7)
      await bundles.put(one, long, { signal })
      const start = await bundles.start(one, { signal })
      assert.ok(start !== undefined && start.length > 0 && start.length <= startLength)
      assert.ok(Buffer.from(long.subarray(0, start.length)).equals(start))
      assert.equal(await bundles.start(two, { signal }), undefined)
    }),
    about('removes one bundle, and none that is not there', async ({ bundles, reopen }, [one, two]) => {
      await bundles.put(one, Buffer.from('one'), { signal })
      await bundles.put(two, Buffer.from('two'), { signal })
      await bundles.remove(one, { signal })
      await bundles.remove(one, { signal })
      assert.equal(await reopen().get(one, { signal }), undefined)
      assert.equal(String(await reopen().get(two, { signal })), 'two')
    }),
    about('throws aborted once the signal has fired', async ({ bundles }, [one]) => {
      const stopped = { signal: AbortSignal.abort() }
      await throwsCode('aborted', () => bundles.put(one, Buffer.from('x'), stopped))
      assert.equal(await bundles.get(one, { signal }), undefined)
    }),
  ]
}
