import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { systemIds } from '../../../src/cli/host.ts'
import type { EventStore, StoredEvent } from '../../../src/event-store.ts'
import { addTask } from '../../../src/tasks/task-change.ts'
import { openStores } from '../../postgres/open.ts'
import { describeWithDatabase } from '../../support/databases/postgres.ts'
import type { Running } from '../../support/programs/program.ts'
import {
  askedIn,
  eventsOf,
  modelThat,
  openTaskWorld,
  readAll,
  type TaskWorld,
} from '../../support/tasks/task-world.ts'

const { signal } = new AbortController()
const newId = systemIds()

/** Number of tasks: 1,000 take six minutes on two cores. A worker dies every second, so forty meet some dozen kills. */
const count = Number(process.env['PIPE_TASKS'] ?? 40)
const timeoutMs = 120_000 + count * 2_000

/** Writes `N.txt`, again if the call was interrupted, and says so. */
const model = modelThat(
  (body) => {
    const [, number = ''] = /task (\d+)/.exec(askedIn(body)) ?? []
    const last = JSON.stringify(body.messages.findLast(({ role }) => role === 'tool') ?? '[interrupted')
    if (!last.includes('[interrupted')) return [{ type: 'text', text: `wrote ${number}` }]
    const args = { path: `${number}.txt`, content: `${number}\n` }
    return [{ type: 'tool_call', id: `call_${body.messages.length}`, name: 'write', arguments: args }]
  },
  { delayMs: 50 },
)

interface Setup {
  readonly world: TaskWorld
  readonly store: EventStore
  readonly workers: number
  readonly env?: Readonly<Record<string, string>>
}

/** Adds tasks, and keeps workers running, of which one is killed every second, until all tasks are over. */
async function runWithKills({ world, store, workers, env = {} }: Setup): Promise<readonly StoredEvent[]> {
  world.server.reply(...Array.from({ length: 10 * count }, () => model))
  const origin = JSON.parse((await world.pipe(['task', 'add', 'task 0', '--json'], { env })).stdout)
  const { repo, base, folder } = origin.options
  for (let i = 1; i < count; i++)
    await addTask(
      {
        authorActorId: 'user_local',
        agentId: 'agent_pipe',
        priority: 'normal',
        title: `task ${i}`,
        intent: `task ${i}`,
        options: { repo, base, folder },
      },
      { store, newId, signal },
    )
  const running = new Set<Running>()
  let left = count
  const works = Array.from({ length: workers }, async () => {
    while (left > 0) {
      const worker = world.start(['worker'], { env })
      running.add(worker)
      const { code, stderr } = await worker.ended
      running.delete(worker)
      if (code !== null && left > 0) throw new Error(`a worker ended by itself: ${code} ${stderr}`)
    }
  })
  const killing = (async () => {
    while (left > 0) {
      await wait(1_000)
      const victims = [...running]
      victims[Math.floor(Math.random() * victims.length)]?.kill('SIGKILL')
    }
  })()
  const watching = (async () => {
    for await (const event of store.watch({ signal })) {
      if (event.type === 'task_completed' || event.type === 'task_failed') left--
      if (left === 0) return
    }
  })()
  await Promise.race([watching, Promise.all(works)])
  for (const worker of running) worker.kill('SIGTERM')
  await Promise.all([...works, killing])
  return readAll(store)
}

/** Checks that each task ended once, and that the log has no gap. Only a task under which three workers died in a row may fail. */
function check(events: readonly StoredEvent[]): void {
  expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1))
  const streams = new Map<string, StoredEvent[]>()
  for (const event of events) streams.set(event.streamId, [...(streams.get(event.streamId) ?? []), event])
  expect(streams.size).toBe(count)
  for (const stream of streams.values()) {
    expect(stream.map(({ seq }) => seq)).toEqual(stream.map((_, i) => i + 1))
    const starts = stream.slice(1, -1)
    const attempts = starts.map((event) => event.type === 'task_started' && event.payload.options?.attempt)
    expect(attempts).toEqual(starts.map((_, i) => i + 1))
    const [first, last] = [stream.at(0), stream.at(-1)]
    expect(first?.type).toBe('task_created')
    if (last?.type === 'task_completed') continue
    const reason = '3 workers died while they worked on it'
    expect(last).toMatchObject({ type: 'task_failed', payload: { reason } })
    expect(starts).toHaveLength(3)
  }
}

/** Checks that each completed task has its file under its ref. */
function checkWork(events: readonly StoredEvent[], { git }: TaskWorld): void {
  const refs = git('for-each-ref', '--format=%(refname)', 'refs/pipe/tasks').split('\n')
  const completed = events.filter(({ type }) => type === 'task_completed')
  for (const { streamId, payload } of completed) {
    expect(refs).toContain(`refs/pipe/tasks/${streamId}`)
    const [, number] = /wrote (\d+)/.exec('summary' in payload ? (payload.summary ?? '') : '') ?? []
    const range = `refs/pipe/tasks/${streamId}^..refs/pipe/tasks/${streamId}`
    expect([streamId, git('diff', '--name-only', range)]).toEqual([streamId, `${number}.txt`])
    expect(git('show', `refs/pipe/tasks/${streamId}:${number}.txt`)).toBe(number)
  }
}

it(
  'four workers, one of them killed every second, end each task once',
  async () => {
    const world = await openTaskWorld()
    const store = eventsOf(world)
    const events = await runWithKills({ world, store, workers: 4 })
    check(events)
    checkWork(events, world)
  },
  timeoutMs,
)

describeWithDatabase('on PostgreSQL', ({ url }) => {
  it(
    'eight workers, one of them killed every second, end each task once',
    async () => {
      const world = await openTaskWorld()
      const stores = openStores(url)
      onTestFinished(() => stores.close())
      const env = { PIPE_DATABASE_URL: url }
      const events = await runWithKills({ world, store: stores.events, workers: 8, env })
      check(events)
      checkWork(events, world)
    },
    timeoutMs,
  )
})
