import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { type Authority, canCertify, createAuthority } from '../../support/servers/certificate.ts'
import { listen } from '../../support/servers/listen.ts'
import { startProxy } from '../../support/servers/proxy.ts'

/** A world whose model is at a host name that only a proxy can resolve. */
async function openFarWorld(scheme: 'http' | 'https' = 'http', settings: object = {}) {
  const world = await openWorld()
  const base_url = `${scheme}://models.example/v1`
  const providers = { fake: { dialect: 'openai-chat', base_url } }
  await world.configure({ model: 'fake/model-1', providers, ...settings })
  return { ...world, port: Number(new URL(world.server.baseUrl).port) }
}

/** The contents of all files in pipe's home, as one text. */
async function written({ home }: World): Promise<string> {
  const files = await readdir(home, { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'utf8'))
  return (await Promise.all(texts)).join('\n')
}

/** Puts TLS in front of a local server. Returns the new port. */
async function secure(authority: Authority, port: number): Promise<number> {
  const server = createServer(authority.issue('models.example'), (incoming, response) => {
    const { url: path, method, headers } = incoming
    const onward = request({ port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(onward)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return listen(server)
}

describe('a model behind a proxy', () => {
  it('is reached through the proxy of the environment, whose credentials are written to no file', async () => {
    const world = await openFarWorld()
    const proxy = await startProxy({
      hosts: { 'models.example:80': world.port },
      credentials: 'me:very-secret',
    })
    world.server.reply(say('The answer.'))
    const env = { http_proxy: proxy.url.replace('//', '//me:very-secret@') }
    expectRun(await world.pipe(['-s', 'x', 'hello'], { env }), { stdout: 'The answer.\n' })
    expect(proxy.seen).toEqual(['POST http://models.example/v1/chat/completions'])
    expect(await written(world)).not.toContain('very-secret')
  })

  it('is not reached if the proxy rejects the credentials, and the run says so', async () => {
    const { pipe } = await openFarWorld()
    const proxy = await startProxy({ hosts: {}, credentials: 'a:b' })
    const env = { ALL_PROXY: proxy.url.replace('//', '//me:very-secret@') }
    expectRun(await pipe(['hello'], { env }), {
      code: 52,
      stdout: '',
      stderr: complaint(`proxy ${proxy.url} (ALL_PROXY) did not accept the credentials (407)`),
    })
  })

  it.each([
    ['socks5://me:very-secret@127.0.0.1:1', 'ALL_PROXY: socks5:// proxies are not supported'],
    ['http://:very-secret@', 'ALL_PROXY is not a proxy URL'],
  ])('is a settings error if the variable names no usable proxy: %s', async (ALL_PROXY, words) => {
    const { pipe } = await openFarWorld()
    const run = await pipe(['hello'], { env: { ALL_PROXY } })
    expectRun(run, { code: 52, stdout: '', stderr: complaint(words) })
    expect(run.stderr).not.toContain('very-secret')
  })

  it('is reached directly if it listens on this machine', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('The answer.'))
    const env = { ALL_PROXY: 'http://127.0.0.1:1', HTTP_PROXY: 'socks5://x' }
    expectRun(await pipe(['hello'], { env }), { stdout: 'The answer.\n' })
  })

  it('is named together with the proxy in an error', async () => {
    const { pipe, server, port } = await openFarWorld()
    const proxy = await startProxy({ hosts: { 'models.example:80': port } })
    server.reply({ status: 400, body: '{"error":{"message":"not today"}}' })
    expectRun(await pipe(['hello'], { env: { http_proxy: proxy.url } }), {
      code: 42,
      stdout: '',
      stderr: complaint(`not today (through proxy ${proxy.url} (http_proxy))`),
    })
  })
})

describe.skipIf(!canCertify())('a model behind TLS with a private certificate authority', () => {
  it.each(['ca_file', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'])(
    'is trusted by %s, through a tunnel',
    async (name) => {
      const authority = createAuthority()
      const world = await openFarWorld('https', name === 'ca_file' ? { ca_file: authority.file } : {})
      const port = await secure(authority, world.port)
      const proxy = await startProxy({ hosts: { 'models.example:443': port } })
      world.server.reply(say('The answer.'))
      const path = name === 'SSL_CERT_DIR' ? join(authority.file, '..') : authority.file
      const env = { HTTPS_PROXY: proxy.url, ...(name === 'ca_file' ? {} : { [name]: path }) }
      expectRun(await world.pipe(['hello'], { env }), { stdout: 'The answer.\n' })
      expect(new Set(proxy.seen)).toEqual(new Set(['CONNECT models.example:443']))
    },
  )

  it('is not trusted otherwise, even if a project names the authority, and the error says what to do', async () => {
    const authority = createAuthority()
    const world = await openFarWorld('https')
    await world.put('.pipe/config.json', JSON.stringify({ ca_file: authority.file }))
    const proxy = await startProxy({ hosts: { 'models.example:443': await secure(authority, world.port) } })
    const { code, stdout, stderr } = await world.pipe(['hello'], { env: { HTTPS_PROXY: proxy.url } })
    expect([code, stdout, world.server.requests.length]).toEqual([51, '', 0])
    expect(stderr).toMatch(/ignored ca_file: a project may set only/)
    expect(stderr).toMatch(
      /pipe: models\.example:443 has a certificate that is not trusted; name the file of its authority as "ca_file"/,
    )
  })

  it('ends the run if the file of authorities cannot be read, and names it', async () => {
    const authority = createAuthority()
    const world = await openFarWorld('https', { ca_file: '/nowhere/ca.pem' })
    const proxy = await startProxy({ hosts: { 'models.example:443': await secure(authority, world.port) } })
    expectRun(await world.pipe(['hello'], { env: { HTTPS_PROXY: proxy.url } }), {
      code: 52,
      stdout: '',
      stderr: complaint('ca_file: /nowhere/ca.pem cannot be read'),
    })
  })
})

describe('a page from the web, behind a proxy', () => {
  it.each([
    ['http://10.0.0.1/', /its address is 10\.0\.0\.1/],
    ['http://printer.local/', /printer\.local must not be contacted: it is a private network name/],
  ])('is not fetched if its address may be private: %s', async (url, words) => {
    const { pipe, server } = await openWorld()
    const proxy = await startProxy({ hosts: {} })
    server.reply(use(['fetch', { url }]), say('Done.'))
    expectRun(await pipe(['--yolo', 'look'], { env: { ALL_PROXY: proxy.url } }), { stdout: 'Done.\n' })
    expect(server.requests.slice(1).map(({ body }) => lastText(body))).toEqual([expect.stringMatching(words)])
    expect(proxy.seen).toEqual([])
  })
})

describe('doctor', () => {
  const network = async ({ pipe }: World, env: Record<string, string>) => {
    const { code, stdout } = await pipe(['doctor', '--json'], { env })
    const { checks } = JSON.parse(stdout)
    const of = (name: string) => checks.filter((one: { readonly name: string }) => one.name === name)
    return { code, network: of('network'), authorities: of('authorities') }
  }

  it('reports how servers are reached, and the files of trusted authorities', async () => {
    const world = await openFarWorld()
    expect(await network(world, {})).toEqual({
      code: 0,
      network: [{ name: 'network', state: 'ok', text: 'direct: no proxy is set' }],
      authorities: [],
    })
    const env = {
      HTTP_PROXY: 'http://me:very-secret@proxy:3128',
      OPENAI_API_KEY: 'sk-1',
      SSL_CERT_FILE: '/nowhere.pem',
    }
    const text = 'fake through proxy http://proxy:3128 (HTTP_PROXY); openai directly'
    expect(await network(world, env)).toEqual({
      code: 52,
      network: [{ name: 'network', state: 'ok', text }],
      authorities: [
        { name: 'authorities', state: 'broken', text: 'SSL_CERT_FILE: /nowhere.pem cannot be read' },
      ],
    })
    expect((await network(world, { ALL_PROXY: 'socks4://proxy' })).network).toMatchObject([
      { state: 'broken', text: expect.stringContaining('ALL_PROXY: socks4:// proxies') },
    ])
  })
})
