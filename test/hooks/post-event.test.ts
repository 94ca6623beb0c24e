import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import type { Hook } from '../../src/hooks/hook.ts'
import { runHook } from '../../src/hooks/run-hook.ts'
import { createTransport } from '../../src/http/transport.ts'
import { createCommandRunner } from '../../src/process/command-runner.ts'
import { serve } from '../support/servers/web-server.ts'
import { thrown } from '../support/thrown.ts'
import { hooksOf } from './runner.ts'

interface Received {
  readonly method: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

/** A server that answers each path with a status, headers and a body, and remembers what it received. */
async function open(
  answers: Readonly<Record<string, (path: string) => readonly [number, Record<string, string>, string?]>>,
) {
  const received: Received[] = []
  const server = await serve((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, headers, url = '' } = request
      received.push({ method, headers, body: Buffer.concat(chunks).toString() })
      const [status, more, body] = answers[url]?.(url) ?? [404, {}]
      response.writeHead(status, more).end(body)
    })
  })
  return { received, url: server.url }
}

function hookAt(url: string, more: object = {}): Hook {
  const [hook] = hooksOf({ Stop: [{ hooks: [{ type: 'http', url, ...more }] }] })
  if (hook === undefined) throw new Error('there is no hook')
  return hook
}

async function post(hook: Hook, signal = new AbortController().signal) {
  const transport = createTransport()
  const commands = createCommandRunner({ clock: systemClock })
  onTestFinished(async () => {
    transport.close()
    await commands.close()
  })
  return runHook(
    hook,
    { hook_event_name: 'Stop' },
    {
      transport,
      commands,
      clock: systemClock,
      cwd: '/',
      env: {},
      variables: { TOKEN: 'secret', OTHER: 'private' },
      ask: () => Promise.reject(new Error('no model')),
      askAgent: () => Promise.reject(new Error('no agent')),
      signal,
    },
  )
}

describe('a hook that sends its event', () => {
  it('posts the JSON with the variables that it lists, and returns the answer', async () => {
    const { url, received } = await open({ '/hook': () => [200, {}, '{"continue": true}'] })
    const headers = { Authorization: `Bearer ${'$'}{TOKEN}`, 'X-Other': 'a$OTHER.', 'X-Cost': '$5' }
    const run = await post(hookAt(`${url}/hook`, { headers, allowedEnvVars: ['TOKEN'] }))
    expect(run).toMatchObject({ exitCode: 0, stdout: '{"continue": true}', timedOut: false })
    expect(received).toMatchObject([
      {
        method: 'POST',
        body: '{"hook_event_name":"Stop"}',
        headers: {
          authorization: 'Bearer secret',
          'x-other': 'a.',
          'x-cost': '$5',
          'content-type': 'application/json',
        },
      },
    ])
  })

  it('follows a redirect to another origin without its headers', async () => {
    const there = await open({ '/there': () => [200, {}, 'well'] })
    const here = await open({
      '/here': () => [307, { location: '/near' }],
      '/near': () => [308, { location: `${there.url}/there` }],
    })
    const hook = hookAt(`${here.url}/here`, { headers: { 'X-Key': '$TOKEN' }, allowedEnvVars: ['TOKEN'] })
    expect(await post(hook)).toMatchObject({ exitCode: 0, stdout: 'well' })
    expect(here.received.map(({ headers }) => headers['x-key'])).toEqual(['secret', 'secret'])
    expect(there.received.map(({ headers, body }) => [headers['x-key'], body])).toEqual([
      [undefined, '{"hook_event_name":"Stop"}'],
    ])
  })

  it.each([
    [302, 'http://127.0.0.1:1/', 'the server answered with the status 302'],
    [307, 'http://example.com/', 'the server redirects to an address that hooks must not use'],
    [307, 'file:///etc/passwd', 'the server redirects to an address that hooks must not use'],
    [307, '/hook', 'the server redirects too often'],
  ])('has failed at a redirect %i to %s', async (status, location, fault) => {
    const { url } = await open({ '/hook': () => [status, { location }] })
    expect(await post(hookAt(`${url}/hook`))).toMatchObject({ exitCode: null, fault })
  })

  it('has failed if the server does, or is not there', async () => {
    const { url } = await open({ '/hook': () => [500, {}, '{"decision": "block"}'] })
    expect(await post(hookAt(`${url}/hook`))).toMatchObject({
      fault: 'the server answered with the status 500',
    })
    expect(await post(hookAt('http://127.0.0.1:1/'))).toMatchObject({ exitCode: null, timedOut: false })
  })

  it('takes the beginning of a long answer, and says that it is cut', async () => {
    const long = 'x'.repeat(1_048_576)
    const { url } = await open({ '/whole': () => [200, {}, long], '/cut': () => [200, {}, `${long}y`] })
    expect(await post(hookAt(`${url}/whole`))).toMatchObject({ stdout: long, isCut: false })
    expect(await post(hookAt(`${url}/cut`))).toMatchObject({ stdout: long, isCut: true })
  })

  it('ends in time, and when the turn is interrupted', async () => {
    const { url } = await serve(() => undefined)
    expect(await post(hookAt(url, { timeout: 0.2 }))).toMatchObject({ timedOut: true })
    const controller = new AbortController()
    const posted = thrown(() => post(hookAt(url), controller.signal))
    controller.abort()
    expect(await posted).toMatchObject({ code: 'aborted' })
  })
})
