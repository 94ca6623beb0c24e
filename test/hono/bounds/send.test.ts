import { createServer, type IncomingMessage, request } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../src/cli/system-clock.ts'
import { sendEvents } from '../../../src/hono/bounds/send.ts'
import { eventStream, type SentEvent } from '../../../src/hono/event-stream.ts'
import { deferred } from '../../support/clocks/deferred.ts'
import { listen } from '../../support/servers/listen.ts'

/** Serves these events to one client. Returns the answer as it arrives, and what the server saw. */
async function sending(events: AsyncGenerator<SentEvent, undefined>, stalledMs = 60_000) {
  const reported: unknown[] = []
  const sent = deferred()
  const server = createServer(async (_, outgoing) => {
    outgoing.setTimeout(stalledMs)
    const gone = new AbortController()
    outgoing.once('close', () => gone.abort())
    const response = eventStream(events, { clock: systemClock, signal: gone.signal })
    const { body } = response
    if (body === null) throw new Error('there is no body')
    await sendEvents({ response, body }, outgoing, (error) => reported.push(error))
    sent.resolve()
  })
  const port = await listen(server)
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  const outgoing = request({ port, host: '127.0.0.1', agent: false }).end()
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve)
    outgoing.once('error', reject)
  })
  return { incoming, sent: sent.promise, reported }
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of incoming.setEncoding('utf8')) text += piece
  return text
}

describe('a stream of events that is sent', () => {
  it('arrives whole', async () => {
    const { incoming, reported } = await sending(
      (async function* () {
        yield { data: 'one' }
        yield { data: 'two' }
        return undefined
      })(),
    )
    expect(await textOf(incoming)).toBe('data: one\n\ndata: two\n\n')
    expect(reported).toEqual([])
  })

  it('breaks off where it fails, so that the client sees no end', async () => {
    const error = new Error('the disk is gone')
    const { incoming, sent, reported } = await sending(
      (async function* () {
        yield { data: 'one' }
        throw error
      })(),
    )
    await expect(textOf(incoming)).rejects.toThrow('aborted')
    await sent
    expect(reported).toEqual([error])
  })

  it('piles nothing up for a client that takes nothing, which is disconnected after a while', async () => {
    let [pulled, released] = [0, false]
    const events = async function* (): AsyncGenerator<SentEvent, undefined> {
      try {
        for (; ; pulled++) yield { data: 'x'.repeat(64 * 1_024) }
      } finally {
        released = true
      }
    }
    const { incoming, sent } = await sending(events(), 500)
    incoming.pause()
    await sent
    expect(released).toBe(true)
    // The size of the system's buffers.
    expect(pulled).toBeLessThan(500)
    incoming.destroy()
  })
})
