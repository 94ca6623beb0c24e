import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Server } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { describeProxy, readProxies } from '../../src/http/proxy.ts'
import { createTransport } from '../../src/http/transport.ts'
import type { HttpResponse, Transport } from '../../src/machine/transport.ts'
import { deferred } from '../support/clocks/deferred.ts'
import { createHandClock } from '../support/clocks/hand-clock.ts'
import { type Authority, canCertify, createAuthority } from '../support/servers/certificate.ts'
import { listen } from '../support/servers/listen.ts'
import { startProxy } from '../support/servers/proxy.ts'
import { serve } from '../support/servers/web-server.ts'
import { thrown } from '../support/thrown.ts'

const clock = createHandClock()
const { signal } = new AbortController()

interface Opening {
  readonly env: Record<string, string>
  readonly authorities?: readonly string[]
}

function open({ env, authorities = [] }: Opening): Transport & { readonly reads: number } {
  const proxyFor = readProxies(env)
  let reads = 0
  const transport = createTransport({
    ...(proxyFor === undefined ? {} : { proxies: { proxyFor, clock } }),
    authorities: async () => {
      reads++
      return authorities
    },
  })
  onTestFinished(() => transport.close())
  return {
    ...transport,
    get reads() {
      return reads
    },
  }
}

const get = (transport: Transport, url: string, stop: AbortSignal = signal) =>
  transport.send({ method: 'GET', url, headers: { 'x-key': 'k' } }, { signal: stop })

async function textOf(response: HttpResponse): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Starts a server of any kind for this test and returns its port. */
async function portOf(server: Server): Promise<number> {
  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => sockets.add(socket))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return listen(server)
}

/** Waits up to 20 s until an assertion holds, as a busy machine is slow. */
const settled = (holds: () => void) => vi.waitFor(holds, { timeout: 20_000 })

describe('a server over http', () => {
  it('gets a request by its full address, without the credentials for the proxy', async () => {
    const { port } = await serve((incoming, response) => {
      const { host, 'x-key': key, 'proxy-authorization': secret } = incoming.headers
      response.end(JSON.stringify([incoming.url, host, key, secret]))
    })
    const proxy = await startProxy({ hosts: { 'api.example:80': port }, credentials: 'me:p@ss' })
    const transport = open({ env: { http_proxy: proxy.url.replace('//', '//me:p%40ss@') } })
    const response = await get(transport, 'http://api.example/v1?a=b#c')
    expect(response.via).toBe(`proxy ${proxy.url} (http_proxy)`)
    expect(JSON.parse(await textOf(response))).toEqual(['/v1?a=b', 'api.example', 'k', null])
    expect(proxy.seen).toEqual(['GET http://api.example/v1?a=b'])
  })

  it('streams until a signal closes the connection', async () => {
    const { port } = await serve((_, response) => void response.write('first'))
    const proxy = await startProxy({ hosts: { 'api.example:80': port } })
    const abort = new AbortController()
    const response = await get(open({ env: { http_proxy: proxy.url } }), 'http://api.example/', abort.signal)
    const error = await thrown(async () => {
      for await (const chunk of response.body) {
        expect(Buffer.from(chunk).toString()).toBe('first')
        abort.abort()
      }
    })
    expect(error).toMatchObject({ code: 'aborted' })
    await settled(() => expect(proxy.open.size).toBe(0))
  })

  it('reports a proxy that wants credentials', async () => {
    const proxy = await startProxy({ hosts: {}, credentials: 'a:b' })
    const bare = open({ env: { HTTP_PROXY: proxy.url } })
    const host = `127.0.0.1:${proxy.port}`
    expect(await thrown(() => get(bare, 'http://api.example/'))).toMatchObject({
      code: 'config',
      message: `proxy ${proxy.url} (HTTP_PROXY) asks for credentials (407); set HTTP_PROXY to http://USER:PASSWORD@${host}`,
    })
    const wrong = open({ env: { HTTP_PROXY: `http://me:secret@${host}` } })
    const error = await thrown(() => get(wrong, 'http://api.example/'))
    expect(String(error)).toContain('did not accept the credentials (407)')
    expect(JSON.stringify(error) + String(error)).not.toContain('secret')
  })

  it.each<[string, number, Record<string, string>, string]>([
    ['x-squid-error', 403, { 'x-squid-error': 'ERR_ACCESS_DENIED 0' }, 'refused to connect to'],
    ['server', 403, { server: 'squid/6.13' }, 'refused to connect to'],
    ['proxy-status', 502, { 'proxy-status': 'edge; error=dns_error' }, 'could not connect to'],
  ])('reports an error that a proxy marks as its own with %s', async (_, status, headers, words) => {
    const { url } = await serve((_, response) => response.writeHead(status, headers).end('<html>no</html>'))
    const transport = open({ env: { HTTP_PROXY: url } })
    expect(await thrown(() => get(transport, 'http://api.example/'))).toMatchObject({
      code: 'network',
      message: expect.stringContaining(`proxy ${url} (HTTP_PROXY) ${words} api.example:80 (${status}`),
    })
  })

  it('passes on an error of the server behind a proxy', async () => {
    const { port } = await serve((_, response) => response.writeHead(403, { server: 'api' }).end('no'))
    const proxy = await startProxy({ hosts: { 'api.example:80': port } })
    const transport = open({ env: { HTTP_PROXY: proxy.url } })
    expect(await get(transport, 'http://api.example/')).toMatchObject({
      status: 403,
      via: expect.any(String),
    })
  })

  it('reports a proxy that refuses the connection', async () => {
    const server = createServer()
    const port = await listen(server)
    await new Promise((resolve) => server.close(resolve))
    for (const [scheme, at] of [
      ['http', 80],
      ['https', 443],
    ] as const) {
      const transport = open({ env: { ALL_PROXY: `http://127.0.0.1:${port}` } })
      expect(await thrown(() => get(transport, `${scheme}://api.example/`))).toMatchObject({
        code: 'network',
        message: `proxy http://127.0.0.1:${port} (ALL_PROXY) refused the connection; check that a server runs there and that the URL is right (ECONNREFUSED, on the way to api.example:${at})`,
      })
    }
  })

  it('is reached directly if NO_PROXY names it', async () => {
    const proxy = await startProxy({ hosts: {} })
    const env = { ALL_PROXY: proxy.url, NO_PROXY: '.invalid' }
    expect(await thrown(() => get(open({ env }), 'http://api.invalid/'))).toMatchObject({
      message: expect.stringMatching(/^api\.invalid:80 cannot be found.* directly\)$/),
    })
    expect(proxy.seen).toEqual([])
  })
})

describe('a tunnel', () => {
  const tunnel = (url: string) => open({ env: { HTTPS_PROXY: url } })
  const ask = (url: string) => thrown(() => get(tunnel(url), 'https://api.example/v1'))

  it.each([
    ['403 Forbidden', 'network', 'refused to connect to api.example:443 (403 Forbidden)', 'false'],
    ['502 Bad Gateway', 'network', 'could not connect to api.example:443 (502 Bad Gateway)', undefined],
    ['407 Who?', 'config', /^asks for credentials \(407\); set HTTPS_PROXY to /, undefined],
  ])('reports the proxy that refuses to open it: %s', async (status, code, words, retry) => {
    const answer = `HTTP/1.1 ${status}\r\ncontent-length: 5\r\n\r\nWeb: `
    const proxy = await startProxy({ hosts: {}, answer })
    const error = await ask(proxy.url)
    const name = `proxy ${proxy.url} (HTTPS_PROXY) `
    expect(error).toMatchObject({ code, message: expect.stringContaining(name) })
    const rest = Object(error).message.slice(name.length)
    if (typeof words === 'string') expect(rest).toBe(words)
    else expect(rest).toMatch(words)
    expect(Object(error).details.should_retry).toBe(retry)
    await settled(() => expect(proxy.open.size).toBe(0))
  })

  it.each([
    ['does not speak HTTP', 'SSH-2.0-OpenSSH_9\r\n\r\n'],
    ['closes the connection', ''],
  ])('reports a proxy that %s', async (_, answer) => {
    const proxy = await startProxy({ hosts: {}, answer })
    expect(await ask(proxy.url)).toMatchObject({
      code: 'network',
      message: expect.stringContaining(`proxy ${proxy.url} (HTTPS_PROXY) `),
    })
  })

  it('gives up at the signal, or after a minute', async () => {
    const proxy = await startProxy({ hosts: {}, answer: 'silent' })
    const abort = new AbortController()
    const asking = thrown(() => get(tunnel(proxy.url), 'https://api.example/', abort.signal))
    await settled(() => expect(proxy.seen).toHaveLength(1))
    abort.abort()
    expect(await asking).toMatchObject({ code: 'aborted' })
    await settled(() => expect(proxy.open.size).toBe(0))

    const waiting = ask(proxy.url)
    await settled(() => expect(proxy.seen).toHaveLength(2))
    clock.advance(60_000)
    expect(await waiting).toMatchObject({
      code: 'timeout',
      message: `proxy ${proxy.url} (HTTPS_PROXY) opened no connection within 60 s`,
    })
    await settled(() => expect(proxy.open.size).toBe(0))
  })
})

/** Starts a TLS server for `api.example` and returns its authority and port. */
async function serveSecurely(name = 'api.example'): Promise<{ authority: Authority; port: number }> {
  const authority = createAuthority()
  const server = createHttpsServer(authority.issue(name), (incoming, response) => {
    response.write(`${incoming.headers['x-key']} `)
    response.end(String(incoming.socket.remotePort))
  })
  return { authority, port: await portOf(server) }
}

describe.skipIf(!canCertify())('a server over https', () => {
  it('is reached through one tunnel for several requests', async () => {
    const { authority, port } = await serveSecurely()
    const proxy = await startProxy({ hosts: { 'api.example:443': port }, credentials: 'me:x' })
    const env = { HTTPS_PROXY: proxy.url.replace('//', '//me:x@') }
    const transport = open({ env, authorities: [authority.cert] })
    const first = await textOf(await get(transport, 'https://api.example/'))
    expect(first).toMatch(/^k \d+$/)
    expect(await textOf(await get(transport, 'https://api.example/'))).toBe(first)
    // The first tunnel found that Node's own authorities do not know the server's.
    expect(proxy.seen).toEqual(['CONNECT api.example:443', 'CONNECT api.example:443'])
    expect(transport.reads).toBe(1)
  })

  it('is reached through a proxy that speaks TLS itself', async () => {
    const { authority, port } = await serveSecurely()
    const other = createAuthority()
    const proxy = await startProxy({
      hosts: { 'api.example:443': port },
      certificate: other.issue('127.0.0.1'),
    })
    const env = { https_proxy: proxy.url }
    const transport = open({ env, authorities: [authority.cert + other.cert] })
    expect(await textOf(await get(transport, 'https://api.example/'))).toMatch(/^k \d+$/)
    expect(await thrown(() => get(open({ env }), 'https://api.example/'))).toMatchObject({
      message: expect.stringMatching(
        /^proxy https:\S+ \(https_proxy\) has a certificate that is not trusted.*on the way to api\.example:443\)$/,
      ),
    })
  })

  it('checks the certificate of a TLS proxy before it sends a request over http', async () => {
    const authority = createAuthority()
    const { port } = await serve((_, response) => response.end('page'))
    const hosts = { 'api.example:80': port }
    const proxy = await startProxy({ hosts, certificate: authority.issue('127.0.0.1') })
    const foreign = await startProxy({ hosts, certificate: authority.issue('api.example') })
    const ask = async ({ url }: { readonly url: string }) =>
      textOf(
        await get(open({ env: { http_proxy: url }, authorities: [authority.cert] }), 'http://api.example/'),
      )
    expect(await ask(proxy)).toBe('page')
    expect(String(await thrown(() => ask(foreign)))).toMatch(
      /proxy https:\S+ \(http_proxy\) has a certificate for another name/,
    )
  })

  it.each([
    ['10.1.2.3', '10.1.2.3'],
    ['2001:db8::5', '[2001:db8::5]'],
  ])('named by an IP address has its own certificate behind a proxy: %s', async (address, host) => {
    const { authority, port } = await serveSecurely(address)
    const proxy = await startProxy({ hosts: { [`${host}:443`]: port } })
    const transport = open({ env: { HTTPS_PROXY: proxy.url }, authorities: [authority.cert] })
    expect((await get(transport, `https://${host}/v1`)).status).toBe(200)
  })

  it.each(['localhost', '10.1.2.4', 'api.example', '10.1.2.3.example'])(
    'named by an IP address is refused behind a proxy with a certificate for %s',
    async (name) => {
      const { authority, port } = await serveSecurely(name)
      const hosts = { '10.1.2.3:443': port, '[2001:db8::5]:443': port }
      const proxy = await startProxy({ hosts })
      const transport = open({ env: { HTTPS_PROXY: proxy.url }, authorities: [authority.cert] })
      for (const host of ['10.1.2.3', '[2001:db8::5]']) {
        expect(await thrown(() => get(transport, `https://${host}/v1`))).toMatchObject({
          code: 'network',
          message: expect.stringContaining('has a certificate for another name'),
        })
      }
    },
  )

  it('with an unknown authority is reported with the setting for it', async () => {
    const { port } = await serveSecurely('127.0.0.1')
    const transport = open({ env: {}, authorities: [createAuthority().cert] })
    const error = await thrown(() => get(transport, `https://127.0.0.1:${port}/`))
    expect(error).toMatchObject({
      code: 'network',
      message: expect.stringMatching(
        /^127\.0\.0\.1:\d+ has a certificate that is not trusted; name the file of its authority as "ca_file" in config\.json.*, directly\)$/,
      ),
      details: { should_retry: 'false' },
    })
    expect(transport.reads).toBe(1)
  })

  it('with a certificate for another name or an expired one is reported', async () => {
    const authority = createAuthority()
    for (const [certificate, words] of [
      [authority.issue('other.example'), 'has a certificate for another name'],
      [authority.issue('127.0.0.1', 0), 'has a certificate that has expired'],
    ] as const) {
      const port = await portOf(createHttpsServer(certificate, (_, response) => response.end('secret')))
      const transport = open({ env: {}, authorities: [authority.cert] })
      const error = await thrown(async () => textOf(await get(transport, `https://127.0.0.1:${port}/`)))
      expect(String(error)).toContain(words)
    }
  })

  it('gets nothing of a request before its certificate is trusted', async () => {
    const authority = createAuthority()
    let asked = 0
    const server = createHttpsServer(authority.issue('127.0.0.1'), (_, response) => {
      asked++
      response.end()
    })
    const port = await portOf(server)
    await thrown(() => get(open({ env: {} }), `https://127.0.0.1:${port}/`))
    expect(asked).toBe(0)
  })

  it('stops streaming through a tunnel at the signal', async () => {
    const authority = createAuthority()
    const closed = deferred()
    const server = createHttpsServer(authority.issue('api.example'), (_, response) => {
      response.once('close', () => closed.resolve()).write('first')
    })
    const proxy = await startProxy({ hosts: { 'api.example:443': await portOf(server) } })
    const abort = new AbortController()
    const transport = open({ env: { HTTPS_PROXY: proxy.url }, authorities: [authority.cert] })
    const response = await get(transport, 'https://api.example/', abort.signal)
    const error = await thrown(async () => {
      for await (const _ of response.body) abort.abort()
    })
    expect(error).toMatchObject({ code: 'aborted' })
    await closed.promise
    await settled(() => expect(proxy.open.size).toBe(0))
  })
})

describe('a page with an address check, behind a proxy', () => {
  const admit = (address: string) => address === '93.184.215.14'
  const known: Readonly<Record<string, readonly string[]>> = {
    'public.example': ['93.184.215.14'],
    'private.example': ['10.0.0.1'],
    'both.example': ['93.184.215.14', '10.0.0.1'],
  }

  async function fetched(host: string): Promise<{ outcome: unknown; seen: readonly string[] }> {
    const { port } = await serve((_, response) => response.end('page'))
    const hosts = Object.fromEntries(
      [...Object.keys(known), 'elsewhere.example', 'printer', 'nas.local', 'meta.internal', '10.0.0.1'].map(
        (name) => [`${name}:80`, port],
      ),
    )
    const proxy = await startProxy({ hosts })
    const proxyFor = readProxies({ http_proxy: proxy.url })
    if (proxyFor === undefined) throw new Error('no proxy')
    const transport = createTransport({
      proxies: { proxyFor, clock },
      lookup: (name, _, callback) => {
        const found = known[name]?.map((address) => ({ address, family: 4 }))
        if (found === undefined) callback(Object.assign(new Error('none'), { code: 'ENOTFOUND' }), [])
        else callback(null, found)
      },
    })
    onTestFinished(() => transport.close())
    const request = { method: 'GET', url: `http://${host}/`, headers: {}, admit } as const
    const outcome = await transport.send(request, { signal }).then(textOf, (error: unknown) => error)
    return { outcome, seen: proxy.seen }
  }

  it.each(['public.example', 'elsewhere.example'])('is fetched from %s', async (host) => {
    expect(await fetched(host)).toEqual({ outcome: 'page', seen: [`GET http://${host}/`] })
  })

  it.each(['private.example', 'both.example', '10.0.0.1', 'printer', 'nas.local', 'meta.internal'])(
    'is not requested from %s',
    async (host) => {
      const { outcome, seen } = await fetched(host)
      expect(outcome).toMatchObject({ code: 'permission' })
      expect(seen).toEqual([])
    },
  )
})

it('names the proxy of a variable without its credentials', () => {
  const proxy = readProxies({ ALL_PROXY: 'http://a:b@c:1' })?.(new URL('https://d'))
  expect(proxy && describeProxy(proxy)).toBe('proxy http://c:1 (ALL_PROXY)')
})
