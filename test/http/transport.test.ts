import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:net'
import {
  type BrotliCompress,
  createBrotliCompress,
  createDeflate,
  createGzip,
  type Deflate,
  type Gzip,
  gzipSync,
} from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createTransport } from '../../src/http/transport.ts'
import type { HttpResponse, Transport } from '../../src/machine/transport.ts'
import { deferred } from '../support/clocks/deferred.ts'
import { listen } from '../support/servers/listen.ts'
import { serve } from '../support/servers/web-server.ts'
import { thrown } from '../support/thrown.ts'

const { signal } = new AbortController()

/** Starts a server of any kind for this test and returns its address. */
async function address(server: Server): Promise<string> {
  const port = await listen(server)
  onTestFinished(() => {
    server.close()
  })
  return `http://127.0.0.1:${port}`
}

function open(options: { readonly idleMs?: number } = {}): Transport {
  const transport = createTransport(options)
  onTestFinished(() => transport.close())
  return transport
}

const get = (transport: Transport, url: string, stop: AbortSignal = signal) =>
  transport.send({ method: 'GET', url, headers: {} }, { signal: stop })

async function textOf(response: HttpResponse): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Resolves when the response closes: true if before its end. */
function left(response: ServerResponse): Promise<boolean> {
  const { promise, resolve } = deferred<boolean>()
  response.once('close', () => resolve(!response.writableFinished))
  return promise
}

/** Starts a server that answers each first request of a connection, keeps the connection, and closes it at the second. */
async function startForgetful() {
  const seen: string[] = []
  const server = createHttpServer((incoming, response) => {
    const isFirst = !known.has(incoming.socket)
    known.add(incoming.socket)
    seen.push(isFirst ? 'answered' : 'closed')
    if (isFirst) response.end('hello')
    else incoming.socket.destroy()
  })
  const known = new WeakSet()
  return { url: await address(server), seen }
}

describe('a connection that was kept and is closed', () => {
  const ask = (transport: Transport, url: string, isRepeatable: boolean) =>
    transport.send({ method: 'POST', url, headers: {}, body: '{}' }, { signal, isRepeatable })

  it('is replaced, unseen, for a request that may be sent again', async () => {
    const { url, seen } = await startForgetful()
    const transport = open()
    for (let i = 0; i < 2; i++) expect(await textOf(await ask(transport, url, true))).toBe('hello')
    expect(seen).toEqual(['answered', 'closed', 'answered'])
  })

  it('fails any other request', async () => {
    const { url, seen } = await startForgetful()
    const transport = open()
    await textOf(await ask(transport, url, false))
    expect(await thrown(() => ask(transport, url, false))).toMatchObject({ code: 'network' })
    expect(seen).toEqual(['answered', 'closed'])
  })

  it('fails a new connection at once', async () => {
    const url = await address(createServer((socket) => void socket.destroy()))
    expect(await thrown(() => ask(open(), url, true))).toMatchObject({ code: 'network' })
  })
})

describe('the transport', () => {
  it('sends method, headers and body, and returns status, headers and body', async () => {
    const { url } = await serve((incoming, response) => {
      let body = ''
      incoming.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      incoming.on('end', () => {
        response.writeHead(418, { 'x-one': 'a', 'set-cookie': ['b=1', 'c=2'] })
        response.end(`${incoming.method} ${incoming.url} ${incoming.headers['x-key']} ${body}`)
      })
    })
    const request = {
      method: 'POST',
      url: `${url}/v1?a=b`,
      headers: { 'x-key': 'k' },
      body: 'Grüße',
    } as const
    const response = await open().send(request, { signal })
    expect(response).toMatchObject({ status: 418, headers: { 'x-one': 'a', 'set-cookie': 'b=1, c=2' } })
    expect(await textOf(response)).toBe('POST /v1?a=b k Grüße')
  })

  it('reuses a connection whose body was read', async () => {
    const { url } = await serve((incoming, response) => response.end(String(incoming.socket.remotePort)))
    const transport = open()
    const first = await textOf(await get(transport, url))
    expect(await textOf(await get(transport, url))).toBe(first)
  })

  it('reuses a connection whose body lacked only its end', async () => {
    const { url } = await serve((incoming, response) => {
      response.write(String(incoming.socket.remotePort))
      setImmediate(() => response.end())
    })
    const transport = open()
    const used: string[] = []
    await vi.waitFor(async () => {
      for await (const port of (await get(transport, url)).body) {
        used.push(Buffer.from(port).toString())
        break
      }
      expect(new Set(used).size).toBeLessThan(used.length)
    }, 60_000)
  })

  it('closes the socket when the iteration ends early', async () => {
    const closed = deferred<boolean>()
    const { url } = await serve((_, response) => {
      void left(response).then(closed.resolve)
      response.write('first')
    })
    for await (const _ of (await get(open(), url)).body) break
    expect(await closed.promise).toBe(true)
  })

  it('closes the socket when the signal fires, before the headers and in the body', async () => {
    for (const path of ['/silent', '/body']) {
      const closed = deferred<boolean>()
      const arrived = deferred()
      const { url } = await serve((incoming, response) => {
        void left(response).then(closed.resolve)
        if (incoming.url === '/body') response.write('first')
        arrived.resolve()
      })
      const abort = new AbortController()
      const reading = get(open(), url + path, abort.signal).then(textOf)
      await arrived.promise
      abort.abort()
      expect(await thrown(() => reading)).toMatchObject({ code: 'aborted' })
      expect(await closed.promise).toBe(true)
    }
  })

  it('does not connect if the signal has already fired', async () => {
    const error = await thrown(() => get(open(), 'http://127.0.0.1:1', AbortSignal.abort()))
    expect(error).toMatchObject({ code: 'aborted' })
  })

  it('reads no more than is pulled', async () => {
    let sent = 0
    const { url } = await serve((_, response) => {
      const fill = () => {
        while (sent < 200 && response.write(Buffer.alloc(1024 * 1024))) sent++
        if (sent < 200) response.once('drain', fill)
      }
      fill()
    })
    const { body } = await get(open(), url)
    for await (const _ of body) break
    expect(sent).toBeLessThan(50)
  })

  it.each(['/silent', '/body'])('gives up on a silent server, %s', async (path) => {
    const { url } = await serve((incoming, response) => {
      if (incoming.url === '/body') response.write('first')
    })
    const error = await thrown(async () => textOf(await get(open({ idleMs: 60 }), url + path)))
    expect(error).toMatchObject({
      code: 'timeout',
      message: `${new URL(url).host} has been silent for 0.06 s`,
    })
  })

  it('counts neither a ping nor a slow consumer as silence', async () => {
    const { url } = await serve((_, response) => {
      let pings = 0
      const timer = setInterval(() => {
        response.write(': ping\n\n')
        if (++pings < 10) return
        clearInterval(timer)
        response.end('end')
      }, 250)
    })
    const response = await get(open({ idleMs: 2_000 }), url)
    let text = ''
    for await (const chunk of response.body) {
      if (text === '') await new Promise((resolve) => setTimeout(resolve, 2_300))
      text += Buffer.from(chunk).toString()
    }
    expect(text).toBe(`${': ping\n\n'.repeat(10)}end`)
  })

  it('reports a cut body', async () => {
    const { url } = await serve((_, response) => {
      response.write('half', () => response.destroy())
    })
    const error = await thrown(async () => textOf(await get(open(), url)))
    const { host } = new URL(url)
    expect(error).toMatchObject({
      code: 'network',
      message: `${host} closed the connection before its answer was complete (ECONNRESET, directly)`,
    })
  })

  it('reports a refused connection', async () => {
    const server = createServer()
    const url = await address(server)
    await new Promise<unknown>((resolve) => server.close(resolve))
    expect(await thrown(() => get(open(), url))).toMatchObject({
      code: 'network',
      message: `${new URL(url).host} refused the connection; check that a server runs there and that the URL is right (ECONNREFUSED, directly)`,
      details: {},
    })
  })

  it('reports an unknown host', async () => {
    const error = await thrown(() => get(open(), 'http://nowhere.invalid/v1'))
    expect(error).toMatchObject({
      code: 'network',
      message: expect.stringMatching(/^nowhere\.invalid:80 cannot be found; check the URL and the network/),
    })
  })

  it('reports a server without TLS as a lasting failure', async () => {
    const { url } = await serve((_, response) => response.end())
    expect(await thrown(() => get(open(), url.replace('http:', 'https:')))).toMatchObject({
      code: 'network',
      message: expect.stringContaining('does not speak TLS'),
      details: { should_retry: 'false' },
    })
  })

  it('reports a server that does not speak HTTP', async () => {
    const url = await address(createServer((socket) => socket.end('220 mail ready\r\n')))
    const error = await thrown(() => get(open(), url))
    expect(error).toMatchObject({
      code: 'protocol',
      message: expect.stringContaining('does not answer in HTTP'),
    })
  })

  it.each(['api.example.com/v1', 'ftp://host/v1', ''])('refuses the address "%s"', async (url) => {
    const message = `not an HTTP address: ${url}; a base URL looks like https://host/v1`
    expect(await thrown(() => get(open(), url))).toMatchObject({ code: 'config', message })
  })

  it('refuses a header with a line break without showing it', async () => {
    const request = {
      method: 'GET',
      url: 'http://127.0.0.1:1',
      headers: { authorization: 'secret\n' },
    } as const
    const error = await thrown(() => open().send(request, { signal }))
    expect(error).toMatchObject({ code: 'config', message: expect.stringContaining('authorization') })
    expect(String(error)).not.toContain('secret')
  })

  it('closes its connections on close', async () => {
    const closed = deferred()
    const { url } = await serve((incoming, response) => {
      incoming.socket.once('close', closed.resolve)
      response.end('done')
    })
    const transport = open()
    await textOf(await get(transport, url))
    transport.close()
    await closed.promise
  })
})

describe('a body compressed unasked', () => {
  /** Starts a server that flushes a first compressed piece and leaves the rest to the test. */
  const serveCompressed = async (encoding: string, compressor: Gzip | Deflate | BrotliCompress) => {
    const closed = deferred<boolean>()
    const { url } = await serve((_, response) => {
      void left(response).then(closed.resolve)
      response.writeHead(200, { 'content-encoding': encoding })
      compressor.pipe(response)
      compressor.write('first, ')
      compressor.flush()
    })
    return { url, closed: closed.promise }
  }

  it.each([
    ['gzip', createGzip],
    ['X-GZIP', createGzip],
    ['deflate', createDeflate],
    ['br', createBrotliCompress],
  ])('with %s is read as it arrives', async (encoding, create) => {
    const compressor = create()
    const { url } = await serveCompressed(encoding, compressor)
    const pieces: string[] = []
    for await (const chunk of (await get(open(), url)).body) {
      if (pieces.length === 0) compressor.end('rest')
      pieces.push(Buffer.from(chunk).toString())
    }
    expect(pieces).toEqual(['first, ', 'rest'])
  })

  it('closes the socket when the iteration ends early', async () => {
    const { url, closed } = await serveCompressed('gzip', createGzip())
    for await (const _ of (await get(open(), url)).body) break
    expect(await closed).toBe(true)
  })

  it('closes the socket when the signal fires', async () => {
    const { url, closed } = await serveCompressed('gzip', createGzip())
    const abort = new AbortController()
    const error = await thrown(async () => {
      for await (const _ of (await get(open(), url, abort.signal)).body) abort.abort()
    })
    expect(error).toMatchObject({ code: 'aborted' })
    expect(await closed).toBe(true)
  })

  it.each([
    ['a cut one', gzipSync('whole').subarray(0, -10), 'network', 'closed the connection', {}],
    ['one that is not compressed', Buffer.from('plain'), 'protocol', 'it is not', { should_retry: 'false' }],
  ])('reports %s', async (_, bytes, code, words, details) => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(bytes)
    })
    const error = await thrown(async () => textOf(await get(open(), url)))
    expect(error).toMatchObject({ code, message: expect.stringContaining(words), details })
  })
})
