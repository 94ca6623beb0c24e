import { randomUUID } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startModelServer } from './model-server.js'
import { load } from './module.js'
import { judge, makeHome, median, program, run, time } from './process.js'

// Measures how sessions grow: to append, load and list at 10, 1,000 and 10,000 messages or sessions, and to resume one of 60 rounds.

const sizes = [10, 1_000, 10_000]
const rounds = 60
const { createSessionStore } = await load('src/json/sessions/session-store.ts')
const { systemClock } = await load('src/cli/system-clock.ts')
const { signal } = new AbortController()

const openStore = (directory) =>
  createSessionStore({ directory, clock: systemClock, pid: process.pid, host: hostname() })

function message() {
  const content = [
    { type: 'text', text: 'What a user or a model says in a thousand characters. '.repeat(18) },
  ]
  return { type: 'user', id: randomUUID(), content, timestamp: new Date().toISOString() }
}

/** Creates an open session of `count` messages. */
async function sessionOf(store, count) {
  const session = { id: randomUUID(), systemPrompt: '', createdAt: new Date().toISOString(), cwd: '/' }
  const log = await store.create(session, { signal })
  for (let i = 0; i < count; i++) await log.append(message())
  await log.sync()
  return log
}

async function timed(work) {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Repeats each kind of work in turn, so that a slow moment hits all of them. Returns the median of each in milliseconds. */
async function medians(times, works) {
  const all = works.map(() => [])
  for (let i = 0; i < times; i++)
    for (const [k, work] of works.entries()) all[k].push(await timed(() => work(i)))
  return all.map(median)
}

function report(what, ms) {
  const [, middle, last] = ms
  const each = sizes.map((size, i) => `${size}: ${ms[i].toFixed(2)} ms`).join(', ')
  console.log(`session: ${what}: ${each}; from 1,000 to 10,000 it grows ${(last / middle).toFixed(1)}x`)
  return last / middle
}

/** Each append goes to a session of its own size, which grows by a hundredth of that at most. */
async function measureMessages(directory) {
  const store = openStore(directory)
  const short = []
  for (let i = 0; i < 100; i++) short.push(await sessionOf(store, sizes[0] - 1))
  const long = [await sessionOf(store, sizes[1] - 1), await sessionOf(store, sizes[2] - 1)]
  const append = async (log) => {
    await log.append(message())
    await log.sync()
  }
  const appended = await medians(100, [(i) => append(short[i]), ...long.map((log) => () => append(log))])
  const [first, ...others] = [short[0], ...long].map(
    ({ id }) =>
      () =>
        store.load(id, { signal }),
  )
  const loaded = await medians(7, [first, ...others])
  for (const log of [...short, ...long]) await log.close()
  report('append a message to one of', appended)
  judge('session: append to 10,000 messages / to 10', appended[2] / appended[0], 1.5, 'x')
  // Linear, but the garbage collector has more to keep.
  judge('session: load 10,000 messages / 1,000', report('load one of', loaded), 20, 'x')
}

/** Makes a folder of `count` sessions. */
async function folderOf(directory, count) {
  const store = openStore(directory)
  const log = await sessionOf(store, 10)
  await log.close()
  const original = join(directory, `${log.id}.json`)
  for (let i = 1; i < count; i++) copyFileSync(original, join(directory, `${randomUUID()}.json`))
  return store
}

async function measureList(directory) {
  const stores = []
  for (const size of sizes) stores.push(await folderOf(join(directory, String(size)), size))
  const list = (store) => async () => {
    for await (const _ of store.list({ signal }));
  }
  const newest = (store) => async () => {
    for await (const _ of store.list({ signal })) return
  }
  report('find the newest of', await medians(7, stores.map(newest)))
  judge('session: list 10,000 / 1,000', report('list all of', await medians(5, stores.map(list))), 13, 'x')
}

/** A model whose window is known, as most are. Otherwise a run that continues also asks the server for it. */
const models = { 'bench/m': { context_window: 200_000 } }

/** Compares a run that continues a session of 60 rounds with one that begins, each minus the server's own time. */
async function measureResume() {
  const busy = await startModelServer({ rounds })
  const resumed = makeHome(busy.host, { models })
  await run(process.execPath, [program, '--yolo', '-m', 'bench/m', 'go'], resumed)
  busy.close()
  const server = await startModelServer()
  const fresh = makeHome(server.host, { models })
  const config = ['pipe', 'config.json']
  copyFileSync(join(fresh.home, ...config), join(resumed.home, ...config))
  const sessions = join(resumed.home, 'pipe', 'sessions')
  const [name] = readdirSync(sessions).filter((file) => file.endsWith('.json'))
  const whole = readFileSync(join(sessions, name))
  const timeRun = async (args, setup) => {
    const before = server.ownMs()
    const ms = await time([program, ...args, '-m', 'bench/m', 'x'], setup)
    return ms - (server.ownMs() - before)
  }
  const differences = []
  for (let i = -1; i < 21; i++) {
    // On disk, as a run before leaves it: else the resumed run would also write this copy through.
    writeFileSync(join(sessions, name), whole, { flush: true })
    const difference = (await timeRun(['-c'], resumed)) - (await timeRun([], fresh))
    if (i >= 0) differences.push(difference)
  }
  server.close()
  resumed.remove()
  fresh.remove()
  judge(`session: resume ${rounds} rounds, more than a fresh start`, median(differences), 10, ' ms')
}

const directory = mkdtempSync(join(tmpdir(), 'pipe-bench-'))
try {
  await measureResume()
  mkdirSync(join(directory, 'messages'))
  await measureMessages(join(directory, 'messages'))
  await measureList(directory)
} finally {
  rmSync(directory, { recursive: true })
}
