import { systemClock } from '../../src/cli/system-clock.ts'
import { eventStoreConformance } from '../../src/conformance/event-store.ts'
import { storeConformance } from '../../src/conformance/session-store.ts'
import { claimsConformance } from '../../src/conformance/task-claims.ts'
import { bundlesConformance } from '../../src/conformance/work-bundles.ts'
import { conforms } from '../support/conforms.ts'
import { describeWithDatabase } from '../support/databases/postgres.ts'
import { openStores } from './open.ts'

describeWithDatabase('in PostgreSQL', (database) => {
  conforms(
    'the events of tasks',
    eventStoreConformance(async ({ now }) => {
      await database.clear()
      const open = () => openStores(database.url, { clock: { ...systemClock, now } })
      const first = open()
      const others: (typeof first)[] = []
      const reopen = () => {
        const other = open()
        others.push(other)
        return other.events
      }
      const close = async () => {
        for (const one of [first, ...others]) await one.close()
      }
      const makeNewer = async () =>
        void (await database.query('insert into pipe.migrations (version) values (99)'))
      return { store: first.events, reopen, makeNewer, close }
    }),
  )

  conforms(
    'the claims of tasks',
    claimsConformance(async () => {
      await database.clear()
      const first = openStores(database.url)
      const others: (typeof first)[] = []
      const reopen = () => {
        const other = openStores(database.url)
        others.push(other)
        return other.claims
      }
      const close = async () => {
        for (const one of [first, ...others]) await one.close()
      }
      return { claims: first.claims, reopen, close }
    }),
  )

  conforms(
    'the bundles of tasks',
    bundlesConformance(async () => {
      await database.clear()
      const first = openStores(database.url)
      const others: (typeof first)[] = []
      const reopen = () => {
        const other = openStores(database.url)
        others.push(other)
        return other.bundles
      }
      const close = async () => {
        for (const one of [first, ...others]) await one.close()
      }
      return { bundles: first.bundles, reopen, close }
    }),
  )

  conforms(
    'the sessions of tasks',
    storeConformance(async ({ now }) => {
      await database.clear()
      const stores = openStores(database.url, { clock: { ...systemClock, now } })
      return { store: stores.sessions(), close: () => stores.close() }
    }),
  )
})
