import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { load } from './module.js'
import { judge, makeHome, median, program, time } from './process.js'

// Measures the log of tasks: events appended one by one, each on disk before the next; 100,000 events folded into the board; and the
// board of 10,000 tasks as a whole process.

const runs = 7
const { createEventStore } = await load('src/json/tasks/event-store.ts')
const { TaskBoard } = await load('src/tasks/board.ts')
const { signal } = new AbortController()

const clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  sleep: (ms) => wait(ms),
  every: () => () => undefined,
}

function openStore(directory) {
  return createEventStore({ directory, clock, pid: process.pid, host: hostname(), warn: console.error })
}

const taskId = (number) => `task${number}`.padEnd(21, 'x')

function eventsOf(number, count) {
  const about = { taskId: taskId(number), authorActorId: 'user_local' }
  const facts = { title: 'fix it', intent: 'fix it '.repeat(20), priority: 'normal', agentId: 'agent_pipe' }
  const starts = Array.from({ length: count - 1 }, () => ({
    type: 'task_started',
    payload: { ...about, agentId: 'agent_pipe' },
  }))
  return [{ type: 'task_created', payload: { ...about, ...facts } }, ...starts]
}

/** Fills a log with these tasks, a few big appends instead of many. */
async function fill(store, tasks, perTask) {
  for (let i = 0; i < tasks; i++) await store.append(taskId(i), eventsOf(i, perTask), { signal })
}

async function milliseconds(work) {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

async function measureAppends() {
  const setup = makeHome('http://127.0.0.1:1')
  const store = openStore(join(setup.env.PIPE_HOME, 'tasks'))
  await fill(store, 1, 1)
  const count = 500
  const ms = await milliseconds(() => fill(store, count, 1))
  setup.remove()
  return (count / ms) * 1_000
}

async function measureFold() {
  const setup = makeHome('http://127.0.0.1:1')
  const store = openStore(join(setup.env.PIPE_HOME, 'tasks'))
  await fill(store, 1_000, 100)
  const times = []
  for (let i = 0; i < runs; i++) {
    const board = new TaskBoard()
    times.push(
      await milliseconds(async () => {
        for await (const event of store.readAll({ signal })) board.apply(event)
      }),
    )
    if (board.cursor !== 100_000) throw new Error(`folded ${board.cursor} events`)
  }
  setup.remove()
  return median(times)
}

async function measureBoard() {
  const setup = makeHome('http://127.0.0.1:1')
  await fill(openStore(join(setup.env.PIPE_HOME, 'tasks')), 10_000, 1)
  const times = []
  for (let i = 0; i < runs; i++) times.push(await time([program, 'task'], setup))
  setup.remove()
  return median(times)
}

console.log(`tasks: ${Math.round(await measureAppends())} events appended a second, each on disk`)
judge('tasks: 100,000 events folded', await measureFold(), 1_000, ' ms')
judge('tasks: board of 10,000 tasks', await measureBoard(), 300, ' ms')
