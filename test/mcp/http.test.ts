import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { isJsonObject, type JsonObject, parseJson, textField } from '../../src/json-value.ts'
import { createHandClock } from '../support/clocks/hand-clock.ts'
import { openServers } from '../support/mcp/server-pool.ts'
import { serve } from '../support/servers/web-server.ts'

/** Opens a server of 2026-07-28 whose tool wants its argument in a header too: in another one from the second list on. */
async function openRegional() {
  const seen: (readonly unknown[])[] = []
  let lists = 0
  const answer = (method: string, params: JsonObject, headers: IncomingMessage['headers']) => {
    if (method === 'server/discover')
      return {
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        serverInfo: { name: 'w', version: '1' },
      }
    const header = lists < 2 ? 'Region' : 'Area'
    if (method === 'tools/list') {
      lists += 1
      const region = { type: 'string', 'x-mcp-header': lists < 2 ? 'Region' : 'Area' }
      const inputSchema = { type: 'object', properties: { region } }
      return { tools: [{ name: 'ask', inputSchema }], ttlMs: 3_600_000 }
    }
    const args = isJsonObject(params['arguments']) ? params['arguments'] : {}
    seen.push([headers['mcp-protocol-version'], headers['mcp-method'], headers['mcp-name']])
    const isFresh = headers['mcp-param-area'] === args['region']
    return header === 'Area' && isFresh ? { content: [{ type: 'text', text: 'asked' }] } : undefined
  }
  const server = createServer(async (request, response) => {
    const message = parseJson(await text(request)) ?? null
    if (!isJsonObject(message)) return void response.writeHead(405).end()
    const params = isJsonObject(message['params']) ? message['params'] : {}
    const result = answer(textField(message, 'method') ?? '', params, request.headers)
    const body = result === undefined ? { error: { code: -32_020, message: 'no such header' } } : { result }
    if (isJsonObject(body))
      response.writeHead('error' in body ? 400 : 200, { 'content-type': 'application/json' })
    const complete =
      'result' in body
        ? { result: { resultType: 'complete', cacheScope: 'private', ttlMs: 0, ...body.result } }
        : body
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], ...complete }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const access = { type: 'http' as const, url: `http://127.0.0.1:${port}/mcp`, headers: {} }
  return { ...(await openServers([{ name: 'web', access }])), seen }
}

it('a call over HTTP names its tool and marked arguments in headers, and learns of other marks by an error', async () => {
  const { run, seen } = await openRegional()
  await run('find_tools', { query: 'ask' })
  expect(await run('mcp__web__ask', { region: 'eu' })).toMatch(/^error: .*no such header/)
  expect(await run('mcp__web__ask', { region: 'eu' })).toMatch(/^error: .*it has just changed/)
  expect(await run('mcp__web__ask', { region: 'eu' })).toMatch(/\nasked$/)
  expect(seen).toEqual([
    ['2026-07-28', 'tools/call', 'ask'],
    ['2026-07-28', 'tools/call', 'ask'],
  ])
})

/** Opens a server that keeps sessions, and has forgotten that of each request that is listed: `tools/call s1`. */
async function openForgetful(forgotten: readonly string[]) {
  const seen: string[] = []
  let opened = 0
  const results: Readonly<Record<string, JsonObject>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'w', version: '1' },
    },
    'tools/list': { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'asked' }] },
  }
  const { url } = await serve(async (request, response) => {
    const message = parseJson(await text(request)) ?? null
    const method = textField(message, 'method') ?? request.method ?? ''
    if (method === 'GET') return void response.writeHead(405).end()
    const line = `${method} ${request.headers['mcp-session-id'] ?? '-'}`
    seen.push(line)
    if (method === 'initialize') opened += 1
    if (forgotten.includes(line)) return void response.writeHead(404).end()
    const result = results[method]
    const isOneWay = method === 'DELETE' || method === 'notifications/initialized'
    if (result === undefined) return void response.writeHead(isOneWay ? 202 : 400).end()
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': `s${opened}` })
    const id = isJsonObject(message) ? message['id'] : null
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  const access = { type: 'http' as const, url: `${url}/mcp`, headers: {} }
  const opening = await openServers([{ name: 'web', access }])
  await opening.run('find_tools', { query: 'ask' })
  seen.length = 0
  return { ...opening, seen }
}

it('a session that the server has forgotten is opened anew for the calls that find out, and ended at the end', async () => {
  const { run, pool, seen } = await openForgetful(['tools/call s1'])
  const asked = await Promise.all([run('mcp__web__ask'), run('mcp__web__ask')])
  expect(asked).toEqual([expect.stringMatching(/\nasked$/), expect.stringMatching(/\nasked$/)])
  await pool.close()
  expect(seen).toEqual([
    'tools/call s1',
    'tools/call s1',
    'initialize -',
    'notifications/initialized s2',
    'tools/call s2',
    'tools/call s2',
    'DELETE s2',
  ])
})

it('a call fails if the server forgets the new session too', async () => {
  const { run, seen } = await openForgetful(['tools/call s1', 'tools/call s2'])
  expect(await run('mcp__web__ask')).toMatch(/^error: .*the MCP server web failed/)
  expect(seen.filter((line) => line.startsWith('tools/call'))).toEqual(['tools/call s1', 'tools/call s2'])
})

/** Opens a server of 2024, which answers over one stream of events. Its tool `leave` ends the stream without an answer. */
async function openEventStream() {
  const seen: (string | undefined)[] = []
  const streams = new Map<string, ServerResponse>()
  const answer = (method: string, params: JsonObject): JsonObject | undefined => {
    if (method === 'initialize')
      return {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'old', version: '1' },
      }
    if (method === 'tools/list')
      return { tools: ['ask', 'leave'].map((name) => ({ name, inputSchema: { type: 'object' } })) }
    return { content: [{ type: 'text', text: `${params['name']} done` }] }
  }
  const { url } = await serve(async (request, response) => {
    const [, session = ''] = /session=(\d+)/.exec(request.url ?? '') ?? []
    if (request.method === 'GET') {
      const id = String(streams.size + 1)
      seen.push(`${request.url} ${request.headers.authorization}`)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`event: endpoint\ndata: /messages?session=${id}\n\n`)
      return void streams.set(id, response)
    }
    const message = parseJson(await text(request)) ?? null
    response.writeHead(202).end()
    const stream = streams.get(session)
    if (!isJsonObject(message) || message['id'] === undefined) return
    const params = isJsonObject(message['params']) ? message['params'] : {}
    const method = textField(message, 'method') ?? ''
    seen.push(`${method} ${session} ${request.headers.authorization}`)
    if (params['name'] === 'leave') return void stream?.end()
    const result = answer(method, params)
    stream?.write(
      `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: message['id'], result })}\n\n`,
    )
  })
  const headers = { Authorization: 'Bearer k' }
  const access = { type: 'http' as const, url: `${url}/sse`, isEventStream: true as const, headers }
  const clock = createHandClock()
  const opening = await openServers([{ name: 'old', access }], { clock })
  await opening.run('find_tools', { query: 'ask' })
  await opening.run('find_tools', { query: 'leave' })
  return { ...opening, clock, seen }
}

it('a server of 2024 answers over its stream of events', async () => {
  const { run, seen } = await openEventStream()
  expect(await run('mcp__old__ask')).toMatch(/\nask done$/)
  expect(seen).toEqual([
    '/sse Bearer k',
    'initialize 1 Bearer k',
    'tools/list 1 Bearer k',
    'tools/call 1 Bearer k',
  ])
})

it('a stream of events that ends fails its call at once, and the server is started again after a pause', async () => {
  const { run, clock, seen } = await openEventStream()
  expect(await run('mcp__old__leave')).toMatch(/the MCP server old failed: the connection was closed/)
  expect(await run('mcp__old__ask')).toMatch(/it is started again in 1 s$/)
  clock.advance(1_000)
  expect(await run('mcp__old__ask')).toMatch(/\nask done$/)
  expect(seen.slice(-4, -2)).toEqual(['/sse Bearer k', 'initialize 2 Bearer k'])
  expect(seen.at(-1)).toBe('tools/call 2 Bearer k')
})
