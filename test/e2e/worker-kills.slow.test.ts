import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { systemIds } from '../../src/cli/host.ts'
import type { EventStore, StoredEvent } from '../../src/event-store.ts'
import { addTask } from '../../src/tasks/change.ts'
import { openStores } from '../postgres/open.ts'
import { describeWithDatabase } from '../support/postgres.ts'
import type { Running } from '../support/program.ts'
import {
  askedIn,
  eventsOf,
  modelThat,
  openTaskWorld,
  readAll,
  type TaskWorld,
} from '../support/task-world.ts'

const { signal } = new AbortController()
const newId = systemIds()

/** How many tasks: 1,000 take several minutes. */
const count = Number(process.env['PIPE_TASKS'] ?? 60)

/** Writes `N.txt` in the first round, and says so in the second. */
const model = modelThat(
  (body) => {
    const [, number = ''] = /task (\d+)/.exec(askedIn(body)) ?? []
    if (body.messages.some(({ role }) => role === 'tool')) return [{ type: 'text', text: `wrote ${number}` }]
    const args = { path: `${number}.txt`, content: `${number}\n` }
    return [{ type: 'tool_call', id: `call_${number}`, name: 'write', arguments: args }]
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
        ...{ authorActorId: 'user_local', agentId: 'agent_pipe', priority: 'normal' },
        ...{ title: `task ${i}`, intent: `task ${i}`, options: { repo, base, folder } },
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
      if (process.env['PROGRESS'] && left % 20 === 0 && event.type === 'task_completed')
        (await import('node:fs')).appendFileSync('/tmp/progress', `${left} ${Date.now()}\n`)
      if (left === 0) return
    }
  })()
  await Promise.race([watching, Promise.all(works)])
  for (const worker of running) worker.kill('SIGTERM')
  await Promise.all([...works, killing])
  return readAll(store)
}

/** Checks that each task ended once, and how; and that the log has no gap. */
function check(events: readonly StoredEvent[]): { readonly failed: number; readonly deaths: number } {
  expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1))
  const streams = new Map<string, StoredEvent[]>()
  for (const event of events) streams.set(event.streamId, [...(streams.get(event.streamId) ?? []), event])
  expect(streams.size).toBe(count)
  let failed = 0
  let deaths = 0
  for (const stream of streams.values()) {
    expect(stream.map(({ seq }) => seq)).toEqual(stream.map((_, i) => i + 1))
    const [created, ...rest] = stream.map(({ type }) => type)
    const last = rest.pop()
    expect(created).toBe('task_created')
    expect(['task_completed', 'task_failed']).toContain(last)
    expect(new Set(rest)).toEqual(new Set(['task_started']))
    deaths += rest.length - 1
    if (last === 'task_failed') failed++
    if (last === 'task_failed')
      expect(stream.at(-1)?.payload).toMatchObject({ reason: '3 workers died while they worked on it' })
  }
  return { failed, deaths }
}

/** Checks that each completed task has its file under its ref. */
function checkWork(events: readonly StoredEvent[], { git }: TaskWorld): void {
  const refs = git('for-each-ref', '--format=%(refname)', 'refs/pipe/tasks').split('\n')
  const completed = events.filter(({ type }) => type === 'task_completed')
  for (const { streamId, payload } of completed) {
    expect(refs).toContain(`refs/pipe/tasks/${streamId}`)
    const [, number] = /wrote (\d+)/.exec('summary' in payload ? (payload.summary ?? '') : '') ?? []
    expect(git('diff', '--name-only', `refs/pipe/tasks/${streamId}^`, `refs/pipe/tasks/${streamId}`)).toBe(
      `${number}.txt`,
    )
  }
}

it('four workers, one of them killed every second, end each task once', async () => {
  const world = await openTaskWorld()
  const store = eventsOf(world)
  const events = await runWithKills({ world, store, workers: 4 })
  console.log(check(events))
  checkWork(events, world)
})

describeWithDatabase('on PostgreSQL', ({ url }) => {
  it('eight workers, one of them killed every second, end each task once', async () => {
    const world = await openTaskWorld()
    const stores = openStores(url)
    onTestFinished(() => stores.close())
    const env = { PIPE_DATABASE_URL: url }
    const events = await runWithKills({ world, store: stores.events, workers: 8, env })
    console.log(check(events))
    checkWork(events, world)
  })
})
