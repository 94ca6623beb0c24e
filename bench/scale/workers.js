import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { makeHome, program, run } from '../process.js'
import { printTable } from './table.js'

// Measures workers that share one PostgreSQL, and computes what more of them would meet. Needs a server on this machine that takes three
// connections a worker: PIPE_DATABASE_URL, or 127.0.0.1:5432. Makes a database of its own there, and drops it.

const given = process.env.PIPE_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const dist = join(import.meta.dirname, '..', '..', 'dist')
const { openTaskStore, runWorker } = await import(join(dist, 'tasks.js'))
const { mockProvider } = await import(join(dist, 'mock.js'))
/** Tasks that the processes share, and each of the workers of one process. */
const tasks = { processes: 40, each: 3 }
/** Seconds that the model thinks in each task of the workers of one process. */
const thinking = 5
/** Seconds of a task in the computed rows, tasks at once, and how many of them a worker does in the last column (`-j`). */
const computed = { task: 60, tasks: [100, 300, 1_000, 3_000, 10_000], slots: 20 }
/** Events of a task that its workers append, and looks of a worker a second at most, as in `src/postgres/event-store.ts`. */
const [events, mostLooks] = [2, 10]

/** Prints a row for each number of workers. */
export async function scaleWorkers(counts, { writeScript }) {
  const server = new pg.Client(given)
  try {
    await server.connect()
  } catch (error) {
    console.log(`\nWorkers: skipped, because no PostgreSQL answers (${error.message})`)
    return
  }
  try {
    const rows = []
    for (const count of [1, 2, 4])
      rows.push(await withDatabase(server, (url) => drain(url, { count, server, writeScript })))
    printTable('Processes `pipe worker`, a model that answers at once', rows)
    const shared = []
    for (const count of counts)
      shared.push(await withDatabase(server, (url) => share(url, { count, server })))
    printTable(`Workers of the library in one process, a model that thinks ${thinking} s`, shared)
    if (shared.length > 1) printTable(`Computed: tasks of ${computed.task} s each`, compute(shared))
  } finally {
    await server.end()
  }
}

async function withDatabase(server, work) {
  const name = `pipe_scale_${process.pid}`
  await server.query(`CREATE DATABASE ${name}`)
  try {
    const url = new URL(given)
    url.pathname = `/${name}`
    return await work(url.href)
  } finally {
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`)
  }
}

/** Lets so many processes empty a board. */
async function drain(url, { count, server, writeScript }) {
  const setup = makeHome('http://127.0.0.1:1')
  const cwd = join(setup.home, 'project')
  mkdirSync(cwd)
  const env = { ...setup.env, PIPE_DATABASE_URL: url }
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b', ...args], { cwd, env })
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'one')
  const there = { home: cwd, env }
  await run(process.execPath, [program, 'trust', 'add'], there)
  for (let i = 0; i < tasks.processes; i++)
    await run(process.execPath, [program, 'task', 'add', 'say it'], there)
  const model = `replay/${writeScript(setup.home, { version: 1, rounds: [{ blocks: [{ type: 'text', text: 'Done.' }] }] })}`
  const worker = [
    '-c',
    'TIMEFORMAT="%U %S"; time "$0" "$@"',
    process.execPath,
    program,
    'worker',
    '-q',
    '--once',
    '-m',
    model,
  ]
  const before = await databaseCpu(server)
  const started = performance.now()
  const ended = await Promise.all(Array.from({ length: count }, () => run('bash', worker, there)))
  const seconds = (performance.now() - started) / 1_000
  const own = ended.map(({ errors }) => errors.trim().split('\n').at(-1).split(' ').map(Number))
  setup.remove()
  return {
    processes: count,
    'tasks a second': tasks.processes / seconds,
    'CPU of pipe a task, ms': (own.flat().reduce((sum, one) => sum + one, 0) * 1_000) / tasks.processes,
    'CPU of PostgreSQL a task, ms': (((await databaseCpu(server)) - before) * 1_000) / tasks.processes,
  }
}

/** Lets so many workers, each with connections of its own, work on as many tasks each. */
async function share(url, { count, server }) {
  const setup = makeHome('http://127.0.0.1:1')
  const env = { ...setup.env, PATH: process.env.PATH }
  const provider = mockProvider(async () => {
    await wait(thinking * 1_000)
    return 'Done.'
  })
  const open = () => openTaskStore({ postgres: url, env })
  const stores = []
  for (let i = 0; i < count; i++) stores.push(await open())
  for (let i = 0; i < count * tasks.each; i++) await stores[0].board.add('say it')
  const before = await databaseCpu(server)
  const started = performance.now()
  const conversation = { model: { provider, model: '' } }
  const work = Promise.all(
    stores.map((store) => runWorker({ store, cwd: setup.home, env, once: true, conversation })),
  )
  await wait(thinking * 500)
  const connections = await connectionsTo(server, url)
  await work
  const seconds = (performance.now() - started) / 1_000
  await Promise.all(stores.map((store) => store.close()))
  const cpu = (((await databaseCpu(server)) - before) * 1_000) / (count * tasks.each)
  setup.remove()
  return {
    workers: count,
    connections,
    'tasks a second': (count * tasks.each) / seconds,
    'of the possible': `${Math.round((100 * thinking * tasks.each) / seconds)} %`,
    'CPU of PostgreSQL a task, ms': cpu,
  }
}

/** Computes rows from what the first and the last row cost: something a task, and something each time that a worker looks for events. */
function compute(measured) {
  const [first, last] = [measured[0], measured.at(-1)]
  const taskMs = first['CPU of PostgreSQL a task, ms']
  const looksOf = (rate) => Math.min(mostLooks, events * rate)
  const rate = last['tasks a second']
  const lookMs = ((last['CPU of PostgreSQL a task, ms'] - taskMs) * rate) / (last.workers * looksOf(rate))
  const coresOf = (workers, perSecond) => (perSecond * taskMs + workers * looksOf(perSecond) * lookMs) / 1_000
  return computed.tasks.map((tasks) => {
    const perSecond = tasks / computed.task
    return {
      'tasks at once': tasks,
      'tasks a second': perSecond,
      'cores of PostgreSQL, a worker each': coresOf(tasks, perSecond),
      [`with ${computed.slots} tasks a worker`]: coresOf(tasks / computed.slots, perSecond),
    }
  })
}

async function connectionsTo(server, url) {
  const { rows } = await server.query(
    'SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = $1',
    [new URL(url).pathname.slice(1)],
  )
  return rows[0].count
}

/** Seconds of CPU of the server's processes that have ended, and of those that serve this connection. */
async function databaseCpu(server) {
  // A connection that was closed ends its process a moment later.
  await wait(500)
  const { rows } = await server.query('SELECT pg_backend_pid() AS pid')
  const parent = statOf(rows[0].pid)[1]
  const [, , ...fields] = statOf(parent)
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Fields of a process's `stat` after its name: the state, its parent, and so on. */
function statOf(pid) {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
}
