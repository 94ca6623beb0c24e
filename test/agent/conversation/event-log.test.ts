import { expect, it } from 'vitest'
import { EventLog } from '../../../src/agent/conversation/event-log.ts'
import type { QueuedMessage, Snapshot, WatchedFact } from '../../../src/conversation.ts'
import { noUsage } from '../../../src/usage.ts'
import { messageId } from '../../support/messages/messages.ts'

const settings = { model: 'replay/script', mode: 'default' } as const
const snapshot: Snapshot = {
  state: 'idle',
  messages: [],
  usage: noUsage,
  reply: [],
  calls: [],
  questions: [],
  queue: [],
  settings,
}

/** Tells a queue with this one message. */
function queueOf(words: string): WatchedFact {
  const waiting: QueuedMessage = { id: messageId(1), text: words, kind: 'follow_up' }
  return { type: 'queue', queue: [waiting] }
}

/** Reads all that is known from a position on. */
async function readFrom(log: EventLog, after: string | undefined): Promise<readonly string[]> {
  const stop = new AbortController()
  const watcher = log.watch({ after, signal: stop.signal })
  const read: string[] = []
  for (;;) {
    const next = watcher.next()
    setImmediate(() => stop.abort())
    const { value, done } = await next
    if (done === true) return read
    const words = value.type === 'queue' ? ` ${value.queue[0]?.text}` : ''
    read.push(`${value.position} ${value.type}${words}`)
  }
}

it('of the queues told behind one event only the last is kept, and positions stay what they were', async () => {
  const log = new EventLog({ run: 'r', snapshot: () => snapshot })
  const early = log.watch({})
  await early.next()
  log.tell(queueOf('one'))
  expect((await early.next()).value).toEqual({ ...queueOf('one'), position: 'r-0.1' })
  log.tell({ type: 'settings', settings })
  log.tell(queueOf('two'))
  log.tell(queueOf('three'))
  expect((await early.next()).value).toMatchObject({ type: 'settings', position: 'r-0.2' })
  expect((await early.next()).value).toEqual({ ...queueOf('three'), position: 'r-0.4' })
  const all = ['r-0.2 settings', 'r-0.4 queue three']
  expect(await readFrom(log, 'r-0')).toEqual(all)
  expect(await readFrom(log, 'r-0.1')).toEqual(all)
  expect(await readFrom(log, 'r-0.3')).toEqual(all.slice(1))
  expect(await readFrom(log, 'r-0.4')).toEqual([])
  expect(await readFrom(log, undefined)).toEqual(['r-0.4 snapshot'])
})
