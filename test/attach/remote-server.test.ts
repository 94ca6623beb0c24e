import type { RequestListener, ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { RemoteServer } from '../../src/attach/remote-server.ts'
import { ServerClient } from '../../src/attach/server-client.ts'
import type { Watched } from '../../src/conversation.ts'
import { maxEvent } from '../../src/http/server-events.ts'
import { createTransport } from '../../src/http/transport.ts'
import { createHandClock } from '../support/clocks/hand-clock.ts'
import { countingIds } from '../support/messages/ids.ts'
import { text, user } from '../support/messages/messages.ts'
import { serve } from '../support/servers/web-server.ts'
import { thrown } from '../support/thrown.ts'

const newId = countingIds()
const [id, run] = [newId.session(), newId.agent()]
const snapshot = {
  position: `${run}-0`,
  state: 'idle',
  messages: [],
  usage: { input_tokens: 0, output_tokens: 0 },
  reply: [],
  calls: [],
  questions: [],
  queue: [],
}
const row = {
  id,
  created_at: '2026-02-18T12:00:00Z',
  updated_at: '2026-02-18T12:00:00Z',
  state: 'idle',
  is_open: true,
  is_running: false,
  questions: 0,
  model: 'acme/large',
  mode: 'default',
}
const delta = (seq: number) => ({ type: 'text_delta', id: 'a', delta: String(seq), agent_id: run, seq })

/** Opens a client of a scripted server. */
async function openServer(answer: RequestListener) {
  const { url } = await serve(answer)
  const transport = createTransport()
  const stop = new AbortController()
  onTestFinished(() => {
    stop.abort()
    transport.close()
  })
  const clock = createHandClock()
  const client = new ServerClient({ address: { base: url }, token: 'secret', transport })
  const server = new RemoteServer({ client, clock, patienceMs: 10_000, signal: stop.signal })
  return { server, clock, stop }
}

function send(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function event(line: object, place?: string): string {
  return `${place === undefined ? '' : `id: ${place}\n`}data: ${JSON.stringify(line)}\n\n`
}

/** A server with one session. `stream` answers those who watch it, from the first on. */
function withSession(
  ...streams: readonly ((response: ServerResponse, after: string | undefined) => void)[]
): RequestListener {
  let watched = 0
  return (request, response) => {
    if (!request.url?.endsWith('/events')) return send(response, { ...row, snapshot })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    streams[watched++]?.(response, request.headers['last-event-id']?.toString())
  }
}

describe('a session of a server', () => {
  it('is watched: what is said, what waits; what this version does not know is left out', async () => {
    const { server, stop } = await openServer(
      withSession((response) => {
        response.write(event({ type: 'snapshot', ...snapshot }, `${run}-0`))
        response.write(`: ping\n\n${event({ type: 'of_tomorrow' })}${event(delta(1), `${run}-1`)}`)
        response.write(event({ ...delta(1), agent_id: newId.agent() }, `${run}-2`))
        response.write(
          event({ type: 'queue', queue: [{ id: newId.message(), text: 'later', kind: 'follow_up' }] }),
        )
        response.write(event({ type: 'settings', model: 'acme/small', mode: 'plan' }))
      }),
    )
    const { conversation, model, mode } = await server.open(id)
    const news: Watched[] = []
    for await (const one of conversation.watch({ signal: stop.signal })) if (news.push(one) === 5) break
    expect([model, mode]).toEqual(['acme/large', 'default'])
    expect(news).toMatchObject([
      { type: 'snapshot', snapshot: { state: 'idle', messages: [] } },
      { type: 'event', isOwn: true, event: { type: 'text_delta', delta: '1' } },
      { type: 'event', isOwn: false },
      { type: 'queue', queue: [{ text: 'later', kind: 'follow_up' }] },
      { type: 'settings', settings: { model: 'acme/small', mode: 'plan' } },
    ])
  })

  it('is watched on after the last event that was heard, once the connection is back', async () => {
    const heard: (string | undefined)[] = []
    const { server, stop, clock } = await openServer(
      withSession(
        (response, after) => {
          heard.push(after)
          response.write(event({ type: 'snapshot', ...snapshot }, `${run}-0`))
          response.write(event(delta(1), `${run}-1`), () => response.destroy())
        },
        (response, after) => {
          heard.push(after)
          response.write(event(delta(2), `${run}-2`))
        },
      ),
    )
    const { conversation } = await server.open(id)
    const types: string[] = []
    for await (const { type } of conversation.watch({ signal: stop.signal })) {
      types.push(type)
      if (type === 'lost') setImmediate(() => clock.advance(1_000))
      if (types.length === 5) break
    }
    expect(types).toEqual(['snapshot', 'event', 'lost', 'found', 'event'])
    expect(heard).toEqual([undefined, `${run}-1`])
  })

  it('is given up when its server stays away', async () => {
    let requests = 0
    const { server, stop, clock } = await openServer((request, response) => {
      if (!request.url?.endsWith('/events')) return send(response, { ...row, snapshot })
      requests++
      response.destroy()
    })
    const { conversation } = await server.open(id)
    const watching = thrown(async () => {
      for await (const _ of conversation.watch({ signal: stop.signal }));
    })
    for (let attempt = 1; attempt <= 2; attempt++) {
      await expect.poll(() => [requests, clock.sleeping]).toEqual([attempt, 1])
      clock.advance(5_000)
    }
    expect(await watching).toMatchObject({ code: 'network', message: expect.stringMatching(/is gone/) })
  })

  it('gets a message once, though its answer was lost', async () => {
    const ids: unknown[] = []
    const { server, clock } = await openServer((request, response) => {
      if (request.method === 'GET') return send(response, { ...row, snapshot })
      request.setEncoding('utf8').on('data', (body) => {
        ids.push(JSON.parse(body).id)
        if (ids.length === 1) response.destroy()
        else send(response, { message_id: 'm', status: 'steering' }, 202)
      })
    })
    const { conversation } = await server.open(id)
    const said = conversation.send(user(text('hi')), 'now')
    await expect.poll(() => clock.sleeping).toBe(1)
    clock.advance(500)
    expect(await said).toBe('steering')
    expect(ids).toEqual([user(text('hi')).id, user(text('hi')).id])
  })
})

describe('a server', () => {
  it('gets the token in a header, and lists its sessions page by page', async () => {
    const asked: string[] = []
    const { server } = await openServer((request, response) => {
      asked.push(`${request.headers.authorization} ${request.url}`)
      send(response, { sessions: [row], ...(asked.length === 1 ? { next: id } : {}) })
    })
    const ids: string[] = []
    for await (const session of server.sessions('den')) ids.push(session.id)
    expect(ids).toEqual([id, id])
    expect(asked).toEqual([
      'Bearer secret /v1/sessions?limit=100&project=den',
      `Bearer secret /v1/sessions?limit=100&project=den&before=${id}`,
    ])
  })

  it.each([
    [401, { code: 'UNAUTHORIZED' }, 'auth', /does not accept this token/],
    [404, { code: 'NOT_FOUND', message: 'there is no session x' }, 'not_found', /there is no session x$/],
    [409, { code: 'CONFLICT', message: 'held', details: { pid: '7' } }, 'conflict', /held$/],
    [400, { code: 'INVALID_REQUEST', message: 'text: is empty' }, 'input', /text: is empty$/],
    [503, {}, 'overloaded', /status 503$/],
    [500, [], 'network', /status 500$/],
  ] as const)('refuses with %i', async (status, body, code, message) => {
    const { server } = await openServer((_, response) => send(response, body, status))
    expect(await thrown(() => server.open(id))).toMatchObject({
      code,
      message: expect.stringMatching(message),
    })
  })

  it('leads the token nowhere else', async () => {
    const other = await serve((_, response) => send(response, { ...row, snapshot }))
    const { server } = await openServer((_, response) => {
      response.writeHead(307, { location: `${other.url}/v1/sessions/${id}` }).end()
    })
    expect(await thrown(() => server.open(id))).toMatchObject({
      code: 'protocol',
      message: expect.stringMatching(/redirects/),
    })
    expect(other.connections).toBe(0)
  })

  it.each([
    ['a page', '<html>'],
    ['a list', '[]'],
    ['too much', JSON.stringify({ text: 'x'.repeat(maxEvent) })],
    ['too many levels', `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`],
    ['another shape', JSON.stringify({ id, snapshot })],
  ])('that answers with %s is no server of ours', async (_, body) => {
    const { server } = await openServer((_, response) => response.end(body))
    expect(await thrown(() => server.open(id))).toMatchObject({ code: 'protocol' })
  })

  it('that sends an event without end is left', async () => {
    const { server, stop } = await openServer(
      withSession((response) => {
        const more = () =>
          response.write('data: '.padEnd(1024 * 1024, 'x'), (lost) => lost || response.destroyed || more())
        more()
      }),
    )
    const { conversation } = await server.open(id)
    const watching = async () => {
      for await (const _ of conversation.watch({ signal: stop.signal }));
    }
    expect(await thrown(watching)).toMatchObject({ code: 'protocol' })
  })

  it('finds a session by the beginning of its id, unless several begin so', async () => {
    const { server } = await openServer((_, response) =>
      send(response, {
        sessions: [
          { ...row, id: 'work-1', is_open: false },
          { ...row, id: 'work-2' },
        ],
      }),
    )
    expect(await server.find('work-1')).toEqual({ id: 'work-1', isOpen: false })
    expect(await server.find('play')).toBeUndefined()
    expect(await thrown(() => server.find('work'))).toMatchObject({ code: 'input' })
  })
})

describe('the models of a server', () => {
  const model = (id: string, owner: string) => ({ id, object: 'model', created: 1, owned_by: owner })

  it('are those that a conversation can use: agents are none', async () => {
    const data = [model('pipe', 'pipe'), model('agent/reviewer', 'pipe'), model('acme/org/large', 'acme')]
    const { server } = await openServer((_, response) => send(response, { object: 'list', data }))
    expect(await server.models()).toEqual(['acme/org/large'])
  })

  it('are refused in words where they are no list', async () => {
    const { server } = await openServer((_, response) => send(response, { data: 'all' }))
    expect(await thrown(() => server.models())).toMatchObject({
      code: 'protocol',
      message: expect.stringContaining('describes its models in a way'),
    })
  })
})
