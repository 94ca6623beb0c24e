import { hostname } from 'node:os'
import { argv, pid, stdout } from 'node:process'
import { createSessionStore } from '../../src/json/sessions/session-store.ts'
import { stillClock } from '../support/clocks/still-clock.ts'
import { messageId, text, timestamp, user } from '../support/messages/messages.ts'
import { sessionId } from './session-id.ts'

// A process that writes a session: `writer.js create|open FOLDER FIRST BYTES`. Appends messages with their numbers, from
// FIRST on, each of BYTES or more, until it is killed or fails. Prints a number once its message is on disk.

const [, , how, directory = '', first = '0', bytes = '0'] = argv
const { signal } = new AbortController()
const store = createSessionStore({ directory, clock: stillClock(), pid, host: hostname() })

async function openLog() {
  if (how === 'open') return (await store.open(sessionId(), { signal })).log
  return store.create({ id: sessionId(), systemPrompt: '', createdAt: timestamp }, { signal })
}

try {
  const log = await openLog()
  for (let i = Number(first); ; i++) {
    await log.append({ ...user(text(`${i} ${'x'.repeat(Number(bytes))}`)), id: messageId(i % 256) })
    await log.sync()
    stdout.write(`${i}\n`)
  }
} catch (error) {
  stdout.write(`${JSON.stringify(error)}\n`)
}
