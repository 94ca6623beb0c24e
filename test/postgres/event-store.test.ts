import pg from 'pg'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import type { Clock } from '../../src/clock.ts'
import type { EventStore, StoredEvent } from '../../src/event-store.ts'
import type { TaskId } from '../../src/id.ts'
import type { TaskEvent } from '../../src/task.ts'
import { deferred } from '../support/clocks/deferred.ts'
import { describeWithDatabase } from '../support/databases/postgres.ts'
import { bareEvents, fullEvents, taskId } from '../support/tasks/task-events.ts'
import { thrown } from '../support/thrown.ts'
import { openStores } from './open.ts'
import { openHere } from './open-here.ts'

const { signal } = new AbortController()

async function all(events: AsyncIterable<StoredEvent>): Promise<readonly StoredEvent[]> {
  const found: StoredEvent[] = []
  for await (const event of events) found.push(event)
  return found
}

const idsOf = async (store: EventStore) => (await all(store.readAll({ signal }))).map(({ id }) => id)
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
const created = (id: TaskId) => bareEvents(id).slice(0, 1)

describeWithDatabase('the events of tasks in PostgreSQL', (database) => {
  beforeEach(() => database.clear())

  /** Ends all connections of pipe to the database as a failing network would, and the server. */
  const cutConnections = () =>
    database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'pipe'",
    )

  it('keeps every field, and texts that JSON must escape', async () => {
    const { events } = openHere(database.url)
    const odd: TaskEvent = {
      type: 'task_canceled',
      payload: { taskId: taskId(2), authorActorId: 'user_local', reason: 'NUL \0, half \ud83e, \\u0000, "' },
    }
    await events.append(taskId(1), fullEvents(taskId(1)), { signal })
    await events.append(taskId(2), [odd], { signal })
    const stored = await all(openHere(database.url).events.readAll({ signal }))
    const payloads = stored.map(({ type, payload }) => ({ type, payload }))
    expect(payloads).toEqual([...fullEvents(taskId(1)), odd])
  })

  it('gives ids in the order of commits: a later append waits for one that has not ended', async () => {
    const { events } = openHere(database.url)
    await events.ensureSchema({ signal })
    for (const end of ['rollback', 'commit']) {
      const other = new pg.Client(database.url)
      await other.connect()
      onTestFinished(() => other.end())
      await other.query('begin')
      await other.query(
        "select pipe.append_events(gen_random_uuid(), $1, null, '', array['task_failed'], array['{}'], null, null)",
        [`other ${end}`],
      )
      const waiting = events.append(taskId(1), created(taskId(1)), { signal })
      await expect
        .poll(() => database.query("select from pg_locks where locktype = 'advisory' and not granted"))
        .toHaveLength(1)
      expect(await idsOf(events)).toEqual(end === 'rollback' ? [] : [1])
      await other.query(end)
      const [stored] = await waiting
      expect(stored?.id).toBe(end === 'rollback' ? 1 : 3)
    }
  })

  it('reads more than a page, from any place', async () => {
    const { events } = openHere(database.url)
    const many = Array.from({ length: 1_203 }, () => created(taskId(1))).flat()
    await events.append(taskId(1), many, { signal })
    expect(await idsOf(events)).toEqual(upTo(1_203))
    const late = await all(events.readStream(taskId(1), { fromSeq: 600, signal }))
    expect(late.map(({ seq }) => seq)).toEqual(upTo(1_203).slice(599))
  })

  it('leaves out a damaged event, and says so once', async () => {
    const warnings: string[] = []
    const { events } = openHere(database.url, { warn: (line) => warnings.push(line) })
    await events.append(taskId(1), bareEvents(taskId(1)).slice(0, 3), { signal })
    await database.query(`update pipe.events set payload = '{"task_id": 5}' where id = 2`)
    expect(await idsOf(events)).toEqual([1, 3])
    expect(await idsOf(events)).toEqual([1, 3])
    expect(warnings).toEqual([expect.stringMatching(/^event 2 in .* cannot be read; it was skipped$/)])
  })

  it('is created by several processes at once', async () => {
    const opened = upTo(6).map(() => openHere(database.url))
    await Promise.all(opened.map(({ events }) => events.ensureSchema({ signal })))
    expect(await database.query('select version from pipe.migrations')).toEqual([{ version: 1 }])
  })

  it('is created for one caller although another, who began it, was interrupted', async () => {
    const { events } = openHere(database.url)
    const stop = new AbortController()
    const first = thrown(() => events.ensureSchema({ signal: stop.signal }))
    const second = events.ensureSchema({ signal })
    stop.abort()
    expect(await first).toMatchObject({ code: 'aborted' })
    await second
    expect(await idsOf(events)).toEqual([])
  })

  it('refuses a schema of a newer version by name, and leaves it as it is', async () => {
    await openHere(database.url).events.ensureSchema({ signal })
    await database.query('insert into pipe.migrations (version) values (7)')
    const { events } = openHere(database.url)
    for (const action of [
      () => events.ensureSchema({ signal }),
      () => events.append(taskId(1), created(taskId(1)), { signal }),
      () => all(events.readAll({ signal })),
    ])
      expect(await thrown(action)).toMatchObject({
        code: 'input',
        message: expect.stringMatching(/has version 7, which needs a newer pipe/),
      })
    expect(await database.query('select from pipe.events')).toEqual([])
  })

  it('loses no event and keeps none twice while connections of the writer end', async () => {
    const { events } = openHere(database.url)
    await events.ensureSchema({ signal })
    const count = 60
    const progress = { done: 0 }
    const appending = Promise.all(
      upTo(3).map(async (number) => {
        for (let i = 0; i < count; i++) {
          await events.append(taskId(number), created(taskId(number)), { expectedSeq: i, signal })
          progress.done++
        }
      }),
    )
    while (progress.done < 3 * count) {
      const before = progress.done
      await cutConnections()
      await expect.poll(() => progress.done).toBeGreaterThan(before)
    }
    await appending
    expect(await idsOf(events)).toEqual(upTo(3 * count))
  })

  it('shows a watcher every event while the connection that listens ends', async () => {
    const [writer, reader] = [openHere(database.url), openHere(database.url)]
    const stop = new AbortController()
    const seen: number[] = []
    const watching = (async () => {
      for await (const { id } of reader.events.watch({ signal: stop.signal })) seen.push(id)
    })()
    for (const i of upTo(40)) {
      await writer.events.append(taskId(1), created(taskId(1)), { signal })
      if (i % 5 === 0) await cutConnections()
    }
    await expect.poll(() => seen).toEqual(upTo(40))
    stop.abort()
    expect(await thrown(() => watching)).toMatchObject({ code: 'aborted' })
  })

  it('looks again after a pause, however fast events come', async () => {
    const pause = deferred<void>()
    const slept: number[] = []
    const clock: Clock = {
      ...systemClock,
      monotonic: () => 0,
      sleep: (ms, until) => {
        if (ms !== 100) return systemClock.sleep(ms, until)
        slept.push(ms)
        return pause.promise
      },
    }
    const { events } = openHere(database.url)
    const append = () => events.append(taskId(1), created(taskId(1)), { signal })
    await append()
    const stop = new AbortController()
    const seen: number[] = []
    const watching = (async () => {
      for await (const { id } of openHere(database.url, { clock }).events.watch({ signal: stop.signal }))
        seen.push(id)
    })()
    await expect.poll(() => seen).toEqual([1])
    for (let i = 0; i < 3; i++) await append()
    await expect.poll(() => slept).toEqual([100])
    expect(seen).toEqual([1])
    pause.resolve()
    await expect.poll(() => seen).toEqual(upTo(4))
    stop.abort()
    expect(await thrown(() => watching)).toMatchObject({ code: 'aborted' })
  })

  it('answers a watcher that waits when the store is closed', async () => {
    const stores = openStores(database.url)
    await stores.events.ensureSchema({ signal })
    const next = thrown(() => stores.events.watch({ signal }).next())
    await stores.close()
    expect(await next).toMatchObject({ code: 'conflict' })
  })
})
