import type { Client } from '@modelcontextprotocol/client'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ClientOptions, eras, makeClient, textOf } from '../../support/mcp/pipe-client.ts'
import { say, use } from '../../support/models/replies.ts'
import { untilGone, untilNoneRuns, untilRuns } from '../../support/programs/processes.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { rawRequest } from '../../support/servers/raw-request.ts'

const yes = { action: 'accept', content: { answer: 'Yes, once' } } as const

/** Starts `pipe mcp serve --http`, with a way to connect clients. */
async function serve(world: World, ...args: readonly string[]) {
  const program = world.start(['mcp', 'serve', '--http', '0', '--json', ...args])
  await program.until(/\n/)
  const { url, token } = JSON.parse(program.stdout) as { readonly url: string; readonly token: string }
  const connect = async (options: ClientOptions = {}): Promise<Client> => {
    const headers = { authorization: `Bearer ${token}` }
    const client = makeClient(options)
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
    onTestFinished(() => client.close())
    return client
  }
  return { program, url, token, connect }
}

describe.each(eras)('a client of %s over HTTP', (era) => {
  it('gets tools, reads, and has a task carried out with progress', async () => {
    const world = await openWorld()
    await world.put('a.txt', 'hello\n')
    world.server.reply(use(['read', { path: 'a.txt' }]), say('It says hello.'))
    const { connect } = await serve(world)
    const client = await connect({ era })
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['read', 'grep', 'glob', 'run'])
    expect(textOf(await client.callTool({ name: 'read', arguments: { path: 'a.txt' } }))).toBe('1\thello')
    const news: unknown[] = []
    const run = await client.callTool(
      { name: 'run', arguments: { prompt: 'what is in a.txt?' } },
      { onprogress: ({ message }) => void news.push(message) },
    )
    expect([textOf(run), news]).toEqual([
      'It says hello.',
      ['round 1: asks fake/model-1', 'read a.txt', 'round 2: asks fake/model-1'],
    ])
  })

  it('answers a question, and another with no', async () => {
    const world = await openWorld()
    const { connect } = await serve(world, '--tools', 'bash')
    let answer: typeof yes | { readonly action: 'decline' } = yes
    const client = await connect({ era, answer: () => answer })
    const touch = (name: string) =>
      client.callTool({ name: 'bash', arguments: { command: `touch ${name}` } }).then(textOf)
    expect(await touch('one')).not.toContain('error')
    answer = { action: 'decline' }
    expect(await touch('two')).toContain('error: Permission denied: the user said no')
  })

  it('ends a command by cancelling its call, and by going away', async () => {
    const world = await openWorld()
    const { connect } = await serve(world, '--tools', 'bash', '--allowed-tools', 'Bash')
    const sleep = (client: Client, seconds: string, signal?: AbortSignal) => {
      const sleeping = client.callTool(
        { name: 'bash', arguments: { command: `sleep ${seconds}` } },
        signal === undefined ? {} : { signal },
      )
      sleeping.catch(() => undefined)
      return sleeping
    }
    const stop = new AbortController()
    const cancelled = sleep(await connect({ era }), '3341', stop.signal)
    await untilRuns('3341')
    stop.abort()
    await expect(cancelled).rejects.toThrow()
    await untilNoneRuns('3341')
    const leaving = await connect({ era })
    void sleep(leaving, '3342')
    await untilRuns('3342')
    await leaving.close()
    await untilNoneRuns('3342')
  })

  it('cannot go on with a session of another client', async () => {
    const world = await openWorld()
    world.server.reply(say('A secret.'), say('Again.'))
    const { connect } = await serve(world)
    const [one, two] = [await connect({ era, name: 'one' }), await connect({ era, name: 'two' })]
    const first = await one.callTool({ name: 'run', arguments: { prompt: 'tell' } })
    const session = (first.structuredContent as { readonly session_id: string }).session_id
    const again = (client: Client) =>
      client.callTool({ name: 'run', arguments: { prompt: 'again', session } }).then(textOf)
    expect(await again(two)).toContain('error: this client has no such session')
    expect(await again(one)).toBe('Again.')
  })
})

describe('pipe mcp serve --http', () => {
  it('lets nobody in without the token, under a foreign name, or from a page', async () => {
    const { url, token } = await serve(await openWorld())
    const { host } = new URL(url)
    const status = async (headers: Readonly<Record<string, string>>) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      const type = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
      const asked = { method: 'POST', path: '/mcp', body, headers: { host, ...type, ...headers } }
      return (await rawRequest(url, asked)).status
    }
    const authorization = `Bearer ${token}`
    expect(await status({})).toBe(401)
    expect(await status({ authorization: 'Bearer wrong' })).toBe(401)
    expect(await status({ authorization, host: 'evil.example' })).toBe(403)
    expect(await status({ authorization, origin: 'https://evil.example' })).toBe(403)
    expect(await status({ authorization, 'mcp-session-id': 'unknown' })).toBe(404)
    expect(await status({ authorization })).toBe(400)
  })

  it('ends what runs, and itself, on SIGTERM', async () => {
    const world = await openWorld()
    const { program, connect } = await serve(world, '--tools', 'bash', '--allowed-tools', 'Bash')
    const client = await connect()
    client.callTool({ name: 'bash', arguments: { command: 'sleep 3343' } }).catch(() => undefined)
    await untilRuns('3343')
    program.kill('SIGTERM')
    expect((await program.ended).code).toBe(143)
    await untilGone(program.pid)
    await untilNoneRuns('3343')
  })

  it('says which address is taken', async () => {
    const world = await openWorld()
    const { url } = await serve(world)
    expectRun(await world.pipe(['mcp', 'serve', '--http', new URL(url).port]), {
      code: 42,
      stdout: '',
      stderr: complaint('another program is already listening on'),
    })
  })
})
