import { describe, expect, it } from 'vitest'
import { createHandClock } from '../support/clocks/hand-clock.ts'
import { type ServePartsOptions, serveParts } from '../support/live/served.ts'
import { type RawRequest, rawRequest } from '../support/servers/raw-request.ts'

const open = '/health/live'
const secret = '/v1/sessions'

/** Serves, and returns a function that sends a request with the token. PORT in a header stands for the server's. */
async function serving(options: ServePartsOptions = {}) {
  const { url, token } = await serveParts({}, options)
  const { port } = new URL(url)
  return (headers: Readonly<Record<string, string>>, more: RawRequest = {}) => {
    const written = Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', port)])
    const own = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` }
    return rawRequest(url, { path: secret, ...more, headers: { ...own, ...Object.fromEntries(written) } })
  }
}

describe('the token', () => {
  it.each([
    ['missing', {}],
    ['wrong', { authorization: `Bearer ${'U'.repeat(43)}` }],
    ['of another scheme', { authorization: `Basic ${'T'.repeat(43)}` }],
    ['cut', { authorization: `Bearer ${'T'.repeat(42)}` }],
  ])('is required: %s is 401', async (_, headers) => {
    const send = await serving()
    const { status, text, headers: answered } = await send({ authorization: '', ...headers })
    expect([status, JSON.parse(text)]).toEqual([401, { code: 'UNAUTHORIZED', message: expect.any(String) }])
    expect(answered['www-authenticate']).toBe('Bearer')
  })

  it('SERV-275: is not read from a query', async () => {
    const { url, token } = await serveParts()
    const { status } = await rawRequest(url, { path: `${secret}?token=${token}&access_token=${token}` })
    expect(status).toBe(401)
  })

  it('SERV-262: is required for paths that do not exist, so that nobody learns which do', async () => {
    const { url } = await serveParts()
    expect((await rawRequest(url, { path: '/nothing' })).status).toBe(401)
    expect((await rawRequest(url, { method: 'POST', path: '/v1/sessions' })).status).toBe(401)
  })
})

describe('the Host of a request', () => {
  it.each(['127.0.0.1:PORT', 'localhost:PORT', 'LOCALHOST:PORT', '[::1]:PORT'])(
    'may be %s on this machine’s own address',
    async (host) => {
      const send = await serving()
      expect((await send({ host })).status).toBe(200)
    },
  )

  it.each([
    'rebind.evil.example',
    'rebind.evil.example:PORT',
    'localhost',
    'localhost:1',
    '127.0.0.1',
    '192.168.1.5:PORT',
    'here:PORT',
    'localhost.:PORT',
    '127.0.0.1.evil.example:PORT',
    '127.0.0.1:PORT:PORT',
  ])(
    'SERV-266: may not be %s there, with the token or without, and the answer says nothing',
    async (host) => {
      const send = await serving({ hostname: 'here' })
      for (const path of [open, secret])
        for (const authorization of [`Bearer ${'T'.repeat(43)}`, '']) {
          const { status, text } = await send({ host, authorization }, { path })
          expect([400, 403]).toContain(status)
          expect(JSON.parse(text)).toEqual({ code: expect.any(String), message: expect.any(String) })
        }
    },
  )

  it.each(['127.0.0.1:PORT', '192.168.1.5:9999', '[fe80::1]:PORT', 'Here:PORT', 'localhost:80', 'localhost'])(
    'may be %s on all addresses, where no name of others points to it',
    async (host) => {
      const send = await serving({ host: '0.0.0.0', hostname: 'here' })
      expect((await send({ host })).status).toBe(200)
    },
  )

  it.each(['rebind.evil.example:PORT', 'pipe.example.evil.example', 'xhere:PORT', 'here.evil:PORT'])(
    'may not be %s even there',
    async (host) => {
      const send = await serving({ host: '0.0.0.0', hostname: 'here', hosts: ['pipe.example'] })
      expect((await send({ host })).status).toBe(403)
    },
  )

  it.each(['pipe.example', 'Pipe.Example:443', 'other.example:8443'])(
    'may be a name of the settings: %s',
    async (host) => {
      const send = await serving({ hosts: ['pipe.example', 'other.example:8443'] })
      expect((await send({ host })).status).toBe(200)
      expect((await send({ host: 'other.example:8444' })).status).toBe(403)
    },
  )
})

/** Serves a page, and keeps what its owner is advised. */
async function servingPage() {
  const advice: string[] = []
  const page = new Map([['index.html', new TextEncoder().encode('<script src="page/a.js">')]])
  const { url } = await serveParts({}, { page, advise: (one) => void advice.push(one) })
  const { host } = new URL(url)
  const get = async (path: string, headers: Readonly<Record<string, string>>) =>
    (await rawRequest(url, { path, headers: { host, ...headers } })).status
  return { advice, get }
}

describe('a proxy that does not pass on the Host of the browser', () => {
  const origin = 'https://pipe.example'

  it('still shows the files of the page, and its owner is told once what to do', async () => {
    const { advice, get } = await servingPage()
    for (const path of ['/', '/sessions/1', '/tasks/1']) expect(await get(path, { origin })).toBe(200)
    expect(advice).toEqual([])
    for (const path of ['/v1/sessions', open]) expect(await get(path, { origin })).toBe(403)
    expect(advice).toEqual([
      expect.stringMatching(/^pages of https:\/\/pipe\.example .*\$http_host.*serve\.hosts/),
    ])
  })

  it('and sends a name of its own gets nothing, and its owner is told once what to do', async () => {
    const { advice, get } = await servingPage()
    for (let i = 0; i < 2; i++) expect(await get('/', { host: 'upstream' })).toBe(403)
    expect(advice).toEqual([
      expect.stringMatching(/^upstream is not a name of this server: .*ProxyPreserveHost On/),
    ])
  })
})

describe('the Origin of a request', () => {
  const allowed = 'https://app.example'

  it.each([
    'https://evil.example',
    'http://localhost:3000',
    'http://127.0.0.1',
    'null',
    'https://app.example.evil.example',
    'file://',
  ])(
    'SERV-264, SERV-265: may not be %s: 403 before the token is looked at, and no header of CORS',
    async (origin) => {
      const send = await serving({ origins: [allowed] })
      for (const authorization of [`Bearer ${'T'.repeat(43)}`, ''])
        for (const method of ['GET', 'OPTIONS']) {
          const asks = { 'access-control-request-method': 'POST' }
          const { status, headers } = await send({ origin, authorization, ...asks }, { method })
          expect(status).toBe(403)
          expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
        }
    },
  )

  it.each(['http://127.0.0.1:PORT', 'https://127.0.0.1:PORT'])(
    'may be the server’s own: %s',
    async (origin) => {
      const send = await serving()
      const { status, headers } = await send({ origin })
      expect([status, headers['access-control-allow-origin']]).toEqual([200, undefined])
    },
  )

  it('may be one of the settings, which then reads the answers', async () => {
    const send = await serving({ origins: [allowed] })
    const { status, headers } = await send({ origin: allowed, 'sec-fetch-site': 'cross-site' })
    expect([status, headers['access-control-allow-origin']]).toEqual([200, allowed])
    expect(headers.vary).toMatch(/origin/i)
    expect((await send({ origin: allowed, authorization: '' })).status).toBe(401)
  })

  it('of the settings may ask before it sends, without the token', async () => {
    const send = await serving({ origins: [allowed] })
    const asks = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-api-key,content-type',
      authorization: '',
    }
    const { status, headers } = await send({ origin: allowed, ...asks }, { method: 'OPTIONS' })
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': allowed,
      'access-control-allow-methods': 'GET,POST,DELETE',
      'access-control-allow-headers': 'x-api-key,content-type',
    })
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  })

  it.each(['cross-site', 'same-site'])('is told by a browser too: %s is refused', async (site) => {
    const send = await serving()
    expect((await send({ 'sec-fetch-site': site })).status).toBe(403)
    expect((await send({ 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' }, { path: open })).status).toBe(
      403,
    )
  })

  it('does not matter for a link that the user follows, with which no token goes', async () => {
    const send = await serving()
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', authorization: '' }
    expect((await send({ ...link, 'sec-fetch-dest': 'document' }, { path: open })).status).toBe(200)
    expect((await send({ ...link, 'sec-fetch-dest': 'document' }, { path: secret })).status).toBe(401)
    expect((await send({ ...link, 'sec-fetch-dest': 'iframe' }, { path: open })).status).toBe(403)
  })
})

describe('a path that does not exist', () => {
  it.each([
    ['/nothing', { code: 'NOT_FOUND', message: expect.any(String) }],
    [
      '/v1/embeddings',
      {
        error: { message: expect.any(String), type: 'invalid_request_error', param: null, code: 'not_found' },
      },
    ],
  ])('is told as the clients of its API expect: %s', async (path, body) => {
    const send = await serving()
    const { status, text } = await send({}, { path })
    expect([status, JSON.parse(text)]).toEqual([404, body])
  })
})

describe('a path that does not take a method', () => {
  const own = (message: string) => ({ code: 'METHOD_NOT_ALLOWED', message })
  const chat = (message: string) => ({
    error: { message, type: 'invalid_request_error', param: null, code: 'method_not_allowed' },
  })

  it.each([
    ['DELETE', '/v1/sessions', 'GET, HEAD, POST', own],
    ['GET', '/v1/sessions/1/commands', 'POST', own],
    ['OPTIONS', '/health', 'GET, HEAD', own],
    ['PUT', '/v1/chat/completions', 'POST', chat],
    ['POST', '/v1/models/a/b', 'GET, HEAD', chat],
    [
      'GET',
      '/v1/messages',
      'POST',
      (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
    ],
  ] as const satisfies readonly (readonly [string, string, string, (message: string) => object])[])(
    'says which it takes, as the clients of its API expect: %s %s',
    async (method, path, allow, form) => {
      const send = await serving()
      const { status, headers, text } = await send({}, { method, path })
      expect([status, headers['allow']]).toEqual([405, allow])
      expect(JSON.parse(text)).toEqual(form(`cannot ${method} ${path}: it takes ${allow}`))
    },
  )
})

describe('every answer', () => {
  it.each([
    [200, {}, {}],
    [401, { authorization: '' }, {}],
    [403, { host: 'evil.example' }, {}],
    [404, {}, { path: '/nothing' }],
    [405, {}, { method: 'DELETE' }],
    [400, { host: 'a b' }, {}],
    [200, {}, { method: 'HEAD' }],
    [431, { 'x-long': 'x'.repeat(20_000) }, {}],
    [400, {}, { path: '/a\\b' }],
  ])('has the headers that bound a browser: %i', async (expected, headers, more) => {
    const send = await serving()
    const answer = await send(headers, more)
    expect(answer.status).toBe(expected)
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
  })
})

describe('a client that sends too many requests', () => {
  it('is told when to go on, and goes on then', async () => {
    const clock = createHandClock()
    const { call, url } = await serveParts({}, { clock, limits: { requests: { perSecond: 0.5, burst: 3 } } })
    expect((await call('GET', open)).status).toBe(200)
    expect((await call('GET', open)).status).toBe(200)
    const refused = await call('GET', open)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2'])
    expect(refused.json).toEqual({ code: 'RATE_LIMITED', message: 'too many requests' })
    const chat = await rawRequest(url, { path: '/v1/models' })
    expect(JSON.parse(chat.text)).toMatchObject({ error: { type: 'rate_limit_error', code: 'rate_limited' } })
    clock.advance(2_000)
    expect((await call('GET', open)).status).toBe(200)
    expect((await call('GET', open)).status).toBe(429)
  })

  it('with wrong tokens is refused soon, and keeps nobody out who has the right one', async () => {
    const send = await serving({ limits: { wrongTokens: { perSecond: 0.2, burst: 2 } } })
    const wrong = () => send({ authorization: 'Bearer guess' })
    const seen = [await wrong(), await wrong(), await wrong()].map(({ status }) => status)
    expect(seen).toEqual([401, 401, 429])
    expect((await wrong()).headers['retry-after']).toBe('5')
    expect((await send({})).status).toBe(200)
    expect((await send({ authorization: '' })).status).toBe(401)
  })
})
