import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from './module.js'
import { judge, median } from './process.js'

// Compares the time to append and sync a message in a long session with that in a short one.

const rounds = 300
const late = 10_000
const early = 10

const { createSessionStore } = await load('src/json/session-store.ts')
const { systemClock } = await load('src/cli/clock.ts')
const { signal } = new AbortController()
const directory = mkdtempSync(join(tmpdir(), 'pipe-bench-'))
const store = createSessionStore({ directory, clock: systemClock, pid: process.pid, host: hostname() })

function message() {
  const content = [
    { type: 'text', text: 'What a user or a model says in a thousand characters. '.repeat(18) },
  ]
  return { type: 'user', id: randomUUID(), content, timestamp: new Date().toISOString() }
}

/** Creates a session of `count` messages. */
async function sessionOf(count) {
  const session = { id: randomUUID(), systemPrompt: '', createdAt: new Date().toISOString() }
  const log = await store.create(session, { signal })
  for (let i = 0; i < count; i++) await log.append(message())
  await log.sync()
  return log
}

/** Appends a message. Returns the milliseconds it took. */
async function timeAppend(log) {
  const next = message()
  const started = performance.now()
  await log.append(next)
  await log.sync()
  return performance.now() - started
}

try {
  const long = await sessionOf(late - 1)
  const times = { early: [], late: [] }
  for (let i = 0; i < rounds; i++) {
    const short = await sessionOf(early - 1)
    times.early.push(await timeAppend(short))
    times.late.push(await timeAppend(long))
    await short.close()
  }
  await long.close()
  const ratio = median(times.late) / median(times.early)
  judge('append: message 10,000 / message 10', ratio, 1.5, 'x')
} finally {
  rmSync(directory, { recursive: true })
}
