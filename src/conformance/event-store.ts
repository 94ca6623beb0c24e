import { strict as assert } from 'node:assert'
import { isPipeError } from '../error.ts'
import type { EventStore, Projection, StoredEvent } from '../event-store.ts'
import { isTaskId, type TaskId } from '../id.ts'
import type { TaskEvent } from '../task.ts'
import { timestamp } from './sample-messages.ts'
import { type ConformanceCase, throwsCode } from './suite.ts'

/** One empty store for one case. */
export interface EventStoreSubject {
  readonly store: EventStore
  /** Opens the same events as another process would. */
  reopen(): EventStore
  /** Marks what is stored as written by a newer version of pipe. */
  makeNewer?(): Promise<void>
  close?(): Promise<void>
}

export interface EventStoreSuiteOptions {
  /** The store's clock: milliseconds since 1970. It stands still. */
  readonly now: () => number
}

const { signal } = new AbortController()

/** A projection that counts events. */
const counter: Projection<number> = {
  name: 'counter',
  defaultState: 0,
  encode: (state) => state,
  decode: (value) => (typeof value === 'number' ? value : undefined),
}

/** The promises of every event store. `create` returns an empty one, which reads the time from `now`. */
export function eventStoreConformance(
  create: (options: EventStoreSuiteOptions) => Promise<EventStoreSubject>,
): readonly ConformanceCase[] {
  const about = (name: string, check: (subject: EventStoreSubject) => Promise<void>) => ({
    name,
    run: async () => {
      const subject = await create({ now: () => Date.parse(timestamp) })
      try {
        await check(subject)
      } finally {
        await subject.store.close()
        await subject.close?.()
      }
    },
  })
  return [
    about('creates what is missing, any number of times', async ({ store }) => {
      await store.ensureSchema({ signal })
      await store.ensureSchema({ signal })
      assert.deepEqual(await all(store.readAll({ signal })), [])
    }),
    about('returns events as it stores them, and reads the same', async ({ store, reopen }) => {
      const [one, two] = newIds()
      const first = await store.append(one, [created(one), started(one)], { signal })
      const second = await store.append(two, [created(two)], { signal })
      const third = await store.append(one, [completed(one)], { signal })
      const expected = [
        stored(created(one), { id: 1, seq: 1 }),
        stored(started(one), { id: 2, seq: 2 }),
        stored(created(two), { id: 3, seq: 1 }),
        stored(completed(one), { id: 4, seq: 3 }),
      ]
      assert.deepEqual([...first, ...second, ...third], expected)
      assert.deepEqual(await all(store.readAll({ signal })), expected)
      assert.deepEqual(await all(reopen().readAll({ signal })), expected)
      assert.deepEqual(await all(store.readAll({ after: 2, signal })), expected.slice(2))
      assert.deepEqual(await all(store.readAll({ after: 4, signal })), [])
      assert.deepEqual(await all(store.readStream(one, { signal })), [expected[0], expected[1], expected[3]])
      assert.deepEqual(await all(store.readStream(one, { fromSeq: 3, signal })), [expected[3]])
      assert.deepEqual(await all(store.readStream('missing', { signal })), [])
      assert.deepEqual(await store.readById(3, { signal }), expected[2])
      for (const id of [0, 5]) assert.equal(await store.readById(id, { signal }), undefined)
    }),
    about('appends nothing if there is nothing to append', async ({ store }) => {
      const [one] = newIds()
      assert.deepEqual(await store.append(one, [], { expectedSeq: 0, signal }), [])
      assert.deepEqual(await all(store.readAll({ signal })), [])
    }),
    about('refuses an append at another number than expected', async ({ store, reopen }) => {
      const [one, two] = newIds()
      await store.append(one, [created(one)], { expectedSeq: 0, signal })
      const other = reopen()
      await other.append(one, [started(one)], { expectedSeq: 1, signal })
      for (const expectedSeq of [0, 1, 3]) {
        const error = await throwsCode('conflict', () =>
          store.append(one, [completed(one)], { expectedSeq, signal }),
        )
        const details = isPipeError(error) ? error.details : {}
        assert.deepEqual([details['expected_seq'], details['actual_seq']], [String(expectedSeq), '2'])
      }
      await store.append(two, [created(two)], { expectedSeq: 0, signal })
      const [last] = await store.append(one, [completed(one)], { expectedSeq: 2, signal })
      assert.deepEqual([last?.id, last?.seq], [4, 3])
      await other.close()
    }),
    about('lets one of two win that append at the same number', async ({ store, reopen }) => {
      const [one] = newIds()
      await store.append(one, [created(one)], { signal })
      const other = reopen()
      const claims = [store, other, store, other].map((each) =>
        each.append(one, [started(one)], { expectedSeq: 1, signal }),
      )
      const outcomes = (await Promise.allSettled(claims)).map(({ status }) => status)
      assert.deepEqual(outcomes.toSorted(), ['fulfilled', 'rejected', 'rejected', 'rejected'])
      assert.equal((await all(store.readStream(one, { signal }))).length, 2)
      await other.close()
    }),
    about('counts ids without a gap in the order in which events appear', async ({ store, reopen }) => {
      const stores = [store, reopen(), reopen()]
      const ids = newIds(24)
      await Promise.all(
        ids.map((id, i) => stores[i % stores.length]?.append(id, [created(id), started(id)], { signal })),
      )
      const events = await all(store.readAll({ signal }))
      assert.deepEqual(
        events.map(({ id }) => id),
        Array.from({ length: 48 }, (_, i) => i + 1),
      )
      for (const id of ids)
        assert.deepEqual(
          events.filter(({ streamId }) => streamId === id).map(({ seq, type }) => [seq, type]),
          [
            [1, 'task_created'],
            [2, 'task_started'],
          ],
        )
      for (const other of stores.slice(1)) await other.close()
    }),
    about('shows the events of one append together, while others append', async ({ store, reopen }) => {
      const other = reopen()
      const ids = newIds(20)
      await Promise.all(
        ids.map(async (id, i) => {
          const [writer, reader] = i % 2 === 0 ? [store, other] : [other, store]
          await writer.append(id, [created(id), started(id), completed(id)], { signal })
          assert.equal((await all(reader.readAll({ signal }))).length % 3, 0)
        }),
      )
      assert.equal((await all(store.readAll({ signal }))).length, 60)
      await other.close()
    }),
    about('refuses what a newer version has written, and keeps it', async ({ store, reopen, makeNewer }) => {
      if (makeNewer === undefined) return
      const [one] = newIds()
      await store.append(one, [created(one)], { signal })
      await makeNewer()
      const other = reopen()
      const error = await throwsCode('input', () => other.ensureSchema({ signal }))
      assert.match(isPipeError(error) ? error.message : '', /newer/)
      await throwsCode('input', () => other.append(one, [started(one)], { signal }))
      await throwsCode('input', () => all(other.readAll({ signal })))
      await other.close()
    }),
    about('saves no malformed event, and none of those beside it', async ({ store }) => {
      const [one, two] = newIds()
      const blank: TaskEvent = {
        type: 'task_failed',
        payload: { ...author(one), authorActorId: '', reason: '' },
      }
      await throwsCode('invalid', () => store.append(one, [created(one), blank], { signal }))
      await throwsCode('invalid', () => store.append(one, [created(two)], { signal }))
      assert.deepEqual(await all(store.readAll({ signal })), [])
    }),
    about('shows a watcher what there is and what any process appends', async ({ store, reopen }) => {
      const [one, two] = newIds()
      await store.append(one, [created(one)], { signal })
      const stop = new AbortController()
      const watch = store.watch({ signal: stop.signal })
      assert.equal((await watch.next()).value.id, 1)
      const other = reopen()
      const next = watch.next()
      await other.append(two, [created(two)], { signal })
      assert.deepEqual((await next).value, stored(created(two), { id: 2, seq: 1 }))
      const late = store.watch({ after: 1, signal: stop.signal })
      assert.equal((await late.next()).value.id, 2)
      const waiting = watch.next()
      stop.abort()
      await throwsCode('aborted', () => waiting)
      await throwsCode('aborted', () => late.next())
      await other.close()
    }),
    about('keeps the state of a projection', async ({ store, reopen }) => {
      const [one] = newIds()
      const none = { cursorEventId: 0, state: 0 }
      assert.deepEqual(await store.getProjection(counter, { signal }), none)
      await store.append(one, [created(one), started(one)], { signal })
      await store.saveProjection(counter, { cursorEventId: 2, state: 2 }, { signal })
      assert.deepEqual(await reopen().getProjection(counter, { signal }), { cursorEventId: 2, state: 2 })
      const changed = { ...counter, decode: () => undefined }
      assert.deepEqual(await store.getProjection(changed, { signal }), none)
      await store.saveProjection(counter, { cursorEventId: 3, state: 3 }, { signal })
      assert.deepEqual(await store.getProjection(counter, { signal }), none)
      await throwsCode('invalid', () => store.getProjection({ ...counter, name: '../x' }, { signal }))
    }),
    about('finishes an append that has begun, then refuses all else', async ({ store, reopen }) => {
      const [one] = newIds()
      const begun = store.append(one, [created(one)], { signal })
      await Promise.all([store.close(), store.close()])
      assert.equal((await begun).length, 1)
      await throwsCode('conflict', () => store.append(one, [started(one)], { signal }))
      await throwsCode('conflict', () => store.readById(1, { signal }))
      await throwsCode('conflict', () => all(store.readAll({ signal })))
      await throwsCode('conflict', () => store.watch({ signal }).next())
      assert.equal((await all(reopen().readAll({ signal }))).length, 1)
    }),
    about('throws aborted if the signal has already fired', async ({ store }) => {
      const [one] = newIds()
      const gone = { signal: AbortSignal.abort() }
      for (const action of [
        () => store.ensureSchema(gone),
        () => store.append(one, [created(one)], gone),
        () => all(store.readAll(gone)),
        () => all(store.readStream(one, gone)),
        () => store.readById(1, gone),
        () => store.getProjection(counter, gone),
        () => store.saveProjection(counter, { cursorEventId: 0, state: 0 }, gone),
        () => store.watch(gone).next(),
      ])
        await throwsCode('aborted', action)
      assert.deepEqual(await all(store.readAll({ signal })), [])
    }),
  ]
}

async function all(events: AsyncIterable<StoredEvent>): Promise<readonly StoredEvent[]> {
  const found: StoredEvent[] = []
  for await (const event of events) found.push(event)
  return found
}

function newIds(count = 2): readonly [TaskId, TaskId, ...TaskId[]] {
  const [one, two, ...others] = Array.from({ length: count }, (_, i) => `task-${i}`.padEnd(21, 'x')).filter(
    isTaskId,
  )
  return one === undefined || two === undefined ? assert.fail('made malformed ids') : [one, two, ...others]
}

function stored(event: TaskEvent, { id, seq }: { readonly id: number; readonly seq: number }): StoredEvent {
  return { ...event, id, seq, streamId: event.payload.taskId, createdAt: timestamp }
}

function author(taskId: TaskId) {
  return { taskId, authorActorId: 'user_local' }
}

function created(taskId: TaskId): TaskEvent {
  const facts = { title: 'Löwe 🦁', intent: 'a\nb', priority: 'normal', agentId: 'agent_pipe' } as const
  return { type: 'task_created', payload: { ...author(taskId), ...facts } }
}

function started(taskId: TaskId): TaskEvent {
  const options = { worker: 'process 7', attempt: 1 }
  return { type: 'task_started', payload: { ...author(taskId), agentId: 'agent_pipe', options } }
}

function completed(taskId: TaskId): TaskEvent {
  return { type: 'task_completed', payload: { ...author(taskId), summary: 'done' } }
}
