import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createApi } from '../../../src/hono/page/wire/api.ts'
import { type Followed, followLines } from '../../../src/hono/page/wire/follow.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { serve } from '../../support/servers/web-server.ts'

/** Follows a server until it has told as much. Returns that, the waits before new attempts, and what the server was asked. */
async function followed(handler: RequestListener, wanted: number) {
  const asked: (string | undefined)[] = []
  const { url } = await serve((request, response) => {
    asked.push(String(request.headers['last-event-id'] ?? ''), String(request.headers.authorization))
    handler(request, response)
  })
  const refusals: string[] = []
  const api = createApi({
    fetch: (path, init) => fetch(`${url}${path}`, init),
    home: '/',
    token: 'T',
    onRefused: () => refusals.push('refused'),
  })
  const slept: number[] = []
  const leaving = new AbortController()
  const clock = { ...stillClock(slept), after: () => () => undefined }
  const options = { after: '', clock, signal: leaving.signal, hope: () => new Promise<void>(() => undefined) }
  const told: Followed[] = []
  for await (const one of followLines(api, '/v1/events', options)) {
    told.push(one)
    if (told.length === wanted) leaving.abort()
  }
  return { told, asked, slept, refusals }
}

describe('an event stream', () => {
  it('goes on behind the last event when it is lost', async () => {
    let times = 0
    const { told, asked, slept } = await followed((_, response) => {
      times += 1
      response.setHeader('content-type', 'text/event-stream')
      response.end(`id: r-${times}\ndata: {"type":"saved","n":${times}}\n\n`)
    }, 5)
    expect(told).toEqual([
      { type: 'open' },
      { type: 'lines', lines: [{ type: 'saved', n: 1 }], last: 'r-1' },
      { type: 'lost' },
      { type: 'open' },
      { type: 'lines', lines: [{ type: 'saved', n: 2 }], last: 'r-2' },
    ])
    expect([asked, slept]).toEqual([['', 'Bearer T', 'r-1', 'Bearer T'], [300]])
  })

  it('waits longer each time that the server fails', async () => {
    const { told, slept } = await followed((_, response) => void response.writeHead(503).end(), 4)
    expect(told).toEqual([{ type: 'lost' }, { type: 'lost' }, { type: 'lost' }, { type: 'lost' }])
    expect(slept).toEqual([300, 1_000, 2_000])
  })

  it('ends with the words of a server that refuses', async () => {
    const body = JSON.stringify({ code: 'NOT_FOUND', message: 'there is no session x' })
    await expect(followed((_, response) => void response.writeHead(404).end(body), 1)).rejects.toThrow(
      'There is no session x.',
    )
  })
})
