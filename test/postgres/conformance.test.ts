import { systemClock } from '../../src/cli/system-clock.ts'
import { eventStoreConformance } from '../../src/conformance/event-store.ts'
import { storeConformance } from '../../src/conformance/session-store.ts'
import { claimsConformance } from '../../src/conformance/task-claims.ts'
import { bundlesConformance } from '../../src/conformance/work-bundles.ts'
import { conforms } from '../support/conforms.ts'
import { describeWithDatabase } from '../support/databases/postgres.ts'
import { openStores } from './open.ts'

describeWithDatabase('in PostgreSQL', (database) => {
  /** Opens the emptied database, and again with `reopen`. */
  const openAll = async (options?: Parameters<typeof openStores>[1]) => {
    await database.clear()
    const opened: ReturnType<typeof openStores>[] = []
    const reopen = () => {
      const stores = openStores(database.url, options)
      opened.push(stores)
      return stores
    }
    const close = async () => {
      for (const stores of opened) await stores.close()
    }
    return { first: reopen(), reopen, close }
  }

  conforms(
    'the events of tasks',
    eventStoreConformance(async ({ now }) => {
      const { first, reopen, close } = await openAll({ clock: { ...systemClock, now } })
      const makeNewer = async () =>
        void (await database.query('insert into pipe.migrations (version) values (99)'))
      return { store: first.events, reopen: () => reopen().events, makeNewer, close }
    }),
  )

  conforms(
    'the claims of tasks',
    claimsConformance(async () => {
      const { first, reopen, close } = await openAll()
      return { claims: first.claims, reopen: () => reopen().claims, close }
    }),
  )

  conforms(
    'the bundles of tasks',
    bundlesConformance(async () => {
      const { first, reopen, close } = await openAll()
      return { bundles: first.bundles, reopen: () => reopen().bundles, close }
    }),
  )

  conforms(
    'the sessions of tasks',
    storeConformance(async ({ now }) => {
      const { first, close } = await openAll({ clock: { ...systemClock, now } })
      return { store: first.sessions(), close }
    }),
  )
})
