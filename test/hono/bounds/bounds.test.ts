import { describe, expect, it } from 'vitest'
import { deferred } from '../../support/clocks/deferred.ts'
import { serveParts } from '../../support/live/served.ts'
import { rawConnection } from '../../support/servers/raw-connection.ts'
import { rawRequest } from '../../support/servers/raw-request.ts'

const open = '/health/live'
const json = { 'content-type': 'application/json' }

/** Yields zeros until the reader has enough, and counts them. */
function flood(total: number) {
  const piece = Buffer.alloc(64 * 1_024, 0x20)
  const counted = { sent: 0 }
  async function* pieces() {
    for (; counted.sent < total; counted.sent += piece.length) yield piece
  }
  return { counted, pieces: pieces() }
}

describe('a body', () => {
  it('that its length says is too large is refused before it is sent', async () => {
    const { url, token } = await serveParts({}, { limits: { linger: 100 } })
    const { port } = new URL(url)
    const lines = [
      'POST /v1/sessions HTTP/1.1',
      `host: 127.0.0.1:${port}`,
      `authorization: Bearer ${token}`,
      'content-type: application/json',
      `content-length: ${2 ** 30}`,
    ]
    const { closed } = await rawConnection(url, `${lines.join('\r\n')}\r\n\r\n{`)
    expect(await closed).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"TOO_LARGE"/i)
  })

  it('of 1 GB in chunks is refused after its bound, and the server keeps none of it', async () => {
    const { url, token, call } = await serveParts()
    const { counted, pieces } = flood(2 ** 30)
    const before = process.memoryUsage().arrayBuffers
    const headers = { authorization: `Bearer ${token}`, ...json, 'transfer-encoding': 'chunked' }
    const answer = await rawRequest(url, { method: 'POST', path: '/v1/sessions', headers, body: pieces })
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([413, 'TOO_LARGE'])
    expect(counted.sent).toBeLessThan(2 ** 27)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 26)
    expect((await call('GET', open)).status).toBe(200)
  })

  it.each([
    ['too large', 413, { 'content-type': 'application/json' }],
    ['of a wrong type', 415, { 'content-type': 'text/plain' }],
    ['without the token', 401, { 'content-type': 'application/json', authorization: '' }],
  ])('of 32 MB that is refused gets its answer: %s', async (_, status, headers) => {
    const { url, token } = await serveParts()
    const length = { 'content-length': String(2 ** 25) }
    for (const path of ['/v1/sessions', '/v1/chat/completions']) {
      const sent = { authorization: `Bearer ${token}`, ...length, ...headers }
      const answer = await rawRequest(url, {
        method: 'POST',
        path,
        headers: sent,
        body: flood(2 ** 25).pieces,
      })
      expect(answer.status).toBe(status)
    }
  })

  it('of a chat may be larger than any other', async () => {
    const { call } = await serveParts()
    const large = JSON.stringify({ text: 'x'.repeat(300 * 1_024) })
    expect((await call('POST', '/v1/sessions/x/commands', large)).status).toBe(413)
    expect((await call('POST', '/v1/chat/completions', large)).status).toBe(400)
    expect((await call('POST', '/v1/chat/completions', 'x'.repeat(17 * 2 ** 20))).status).toBe(413)
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'SERV-268: of a type that a page may send anywhere is refused: %s',
    async (type) => {
      const { call } = await serveParts()
      const { status, json } = await call('POST', '/v1/sessions', '{}', { headers: { 'content-type': type } })
      expect([status, json]).toMatchObject([415, { code: 'UNSUPPORTED_MEDIA_TYPE' }])
    },
  )

  it.each([
    ['no JSON', '{"text"', 'is not JSON'],
    ['nested too deeply', '['.repeat(5_000) + ']'.repeat(5_000), 'is nested too deeply'],
  ])('that is %s is refused with its reason', async (_, body, reason) => {
    const { call } = await serveParts()
    const { status, json } = await call('POST', '/v1/sessions', body)
    expect([status, json]).toEqual([
      400,
      { code: 'INVALID_REQUEST', message: `the body ${reason}`, details: { field: 'body', reason } },
    ])
  })
})

describe('a path', () => {
  it.each([
    '/page/../v1/sessions',
    '/page/%2e%2e/v1/sessions',
    '/page/..%2fv1/sessions',
    '//v1/sessions',
    '/v1//sessions',
    '/health/../v1/sessions',
    '/health%2f..%2fv1/sessions',
    '/%76%31/sessions',
    '/v1/sessions%00',
    '/v1/sessions/%ff',
    '/v1/sessions/..%2f..%2f..%2fetc%2fpasswd',
    `/${'a'.repeat(9_000)}`,
    'http://evil.example/v1/sessions',
    '/health/live/',
    '/HEALTH',
  ])('leads past the token nowhere: %s', async (path) => {
    const { url } = await serveParts()
    const { status, text } = await rawRequest(url, { path })
    expect([400, 401]).toContain(status)
    expect(JSON.parse(text)).toEqual({ code: expect.any(String), message: expect.any(String) })
  })

  it.each(['..%2f..%2fetc%2fpasswd', '%00', '%2e%2e', 'x'.repeat(5_000), '%ff', '%E2%80%A8'])(
    'SERV-269: with an id that is none is not found: %s',
    async (id) => {
      const { url, token } = await serveParts()
      const headers = { authorization: `Bearer ${token}` }
      const { status } = await rawRequest(url, { path: `/v1/sessions/${id}`, headers })
      expect([400, 404]).toContain(status)
    },
  )
})

describe('bytes that are no request', () => {
  it.each([
    ['GET / HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n', 400],
    ['\0\0\0\0\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nx: ${'y'.repeat(30_000)}`, 431],
    ['POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', 400],
    ['POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n', 400],
    ['POST / HTTP/1.1\r\nhost: x\r\ncontent-length: -5\r\n\r\n', 400],
  ])('are refused and the connection is closed: %j', async (bytes, status) => {
    const { url, call } = await serveParts()
    const { closed } = await rawConnection(url, bytes)
    expect(await closed).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect((await call('GET', open)).status).toBe(200)
  })
})

describe('bytes that are no request, behind requests that are', () => {
  it('add nothing to an answer that is under way', async () => {
    const asked = deferred()
    const requireReady = () => {
      asked.resolve()
      return new Promise<void>(() => undefined)
    }
    const { url, token } = await serveParts({ requireReady })
    const { port } = new URL(url)
    const head = `HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n\r\n`
    const { until, socket, closed } = await rawConnection(url, `GET /v1/events ${head}`)
    await until(/text\/event-stream/)
    socket.write(`GET /health ${head}`)
    await asked.promise
    socket.write('\0\0 no request\r\n\r\n')
    expect((await closed).match(/HTTP\/1\.1/g)).toHaveLength(1)
  })
})

describe('slow and silent connections', () => {
  it('are closed: one without a request, one with half a header, one with half a body', async () => {
    const { url, token } = await serveParts({}, { limits: { headers: 200, request: 400, look: 50 } })
    const { port } = new URL(url)
    const head = `POST /v1/sessions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n`
    const silent = await rawConnection(url)
    const loris = await rawConnection(url, head)
    const half = await rawConnection(
      url,
      `${head}content-type: application/json\r\ncontent-length: 10\r\n\r\n{`,
    )
    for (const { closed } of [silent, loris]) expect(await closed).toMatch(/^(HTTP\/1\.1 408 |$)/)
    expect(await half.closed).toMatch(/^HTTP\/1\.1 408 [^{]*\{"code":"INVALID_REQUEST","message":"[^"]+"\}$/)
  })

  it('never keep others out: beyond the bound, the one that was silent for longest makes room', async () => {
    const { url, call } = await serveParts({}, { limits: { connections: 20 } })
    const idle = await Promise.all(Array.from({ length: 60 }, () => rawConnection(url)))
    for (let i = 0; i < 5; i++) expect((await call('GET', open)).status).toBe(200)
    await Promise.all(idle.slice(0, 10).map(({ closed }) => closed))
  })

  it('that carry requests are not closed for new ones', async () => {
    const [asked, ready] = [deferred(), deferred()]
    const requireReady = () => {
      asked.resolve()
      return ready.promise
    }
    const { url } = await serveParts({ requireReady }, { limits: { connections: 3 } })
    const { port } = new URL(url)
    const probe = `GET /health HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n\r\n`
    const busy = await rawConnection(url, probe)
    await asked.promise
    const idle = await Promise.all(Array.from({ length: 10 }, () => rawConnection(url)))
    await Promise.all(idle.slice(0, 8).map(({ closed }) => closed))
    ready.resolve()
    expect(await busy.closed).toMatch(/^HTTP\/1\.1 200 /)
  })
})
