import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { serve } from '../../support/servers/web-server.ts'

/** Fetches a page. Returns the text that the model gets. */
async function fetched(url: string, ...flags: readonly string[]): Promise<string> {
  const { pipe, server } = await openWorld()
  server.reply(use(['fetch', { url }]), say('Done.'))
  expectRun(await pipe([...flags, '-q', 'look it up']), { stdout: 'Done.\n' })
  return server.requests.slice(1).map(({ body }) => lastText(body))[0] ?? ''
}

describe('a page from the web', () => {
  it('is fetched only with permission', async () => {
    const { url } = await serve((_, response) => response.end('secret'))
    expect(await fetched(url)).toMatch(/^tool: Permission denied: /)
    expect(await fetched(url, '--permission-mode', 'plan')).toMatch(/^tool: Permission denied: /)
  })

  it.each(['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]'])(
    'is not fetched from this machine, even if every call is allowed: %s',
    async (host) => {
      const local = await serve((_, response) => response.end('secret'))
      const url = local.url.replace('127.0.0.1', host)
      expect(await fetched(url, '--yolo')).toMatch(
        /^tool: .* was not fetched: .* must not be contacted: its address is .*; fetch reaches only the public internet: use curl .* fetch\.allow_private in the settings$/,
      )
      expect(local.connections).toBe(0)
    },
  )

  it('is fetched from this machine if the settings allow the host', async () => {
    const local = await serve((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<h1>Manual</h1><p>Press <b>any</b> key.</p>')
    })
    const { pipe, server, configure } = await openWorld()
    await configure({
      model: 'fake/model-1',
      providers: { fake: { dialect: 'openai-chat', base_url: server.baseUrl } },
      fetch: { allow_private: [`127.0.0.1:${local.port}`] },
    })
    server.reply(use(['fetch', { url: local.url }]), say('Done.'))
    expectRun(await pipe(['--yolo', 'look it up']), { stdout: 'Done.\n' })
    expect(server.requests.slice(1).map(({ body }) => lastText(body))).toEqual([
      expect.stringMatching(/# Manual\n\nPress \*\*any\*\* key\./),
    ])
  })

  it('that redirects to another host is fetched only if a rule allows that host', async () => {
    const secret = await serve((_, response) => response.end('secret'))
    const target = `${secret.url.replace('127.0.0.1', 'localhost')}/`
    const { url } = await serve((_, response) => response.writeHead(302, { location: target }).end())
    const { pipe, server, configure } = await openWorld()
    await configure({
      model: 'fake/model-1',
      providers: { fake: { dialect: 'openai-chat', base_url: server.baseUrl } },
      fetch: { allow_private: [new URL(url).host, new URL(target).host] },
      permissions: { allow: ['WebFetch(domain:127.0.0.1)'] },
    })
    server.reply(use(['fetch', { url }]), use(['fetch', { url: target }]), say('Done.'))
    expectRun(await pipe(['-q', 'look it up']), { stdout: 'Done.\n' })
    expect(server.requests.slice(1).map(({ body }) => lastText(body))).toEqual([
      `tool: ${url}/ redirects (HTTP 302) to ${target}: fetch that if you need it`,
      expect.stringMatching(/^tool: Permission denied: /),
    ])
    expect(secret.connections).toBe(0)
  })

  it('that cannot be reached is reported to the model', async () => {
    expect(await fetched('http://nowhere.invalid/', '--yolo')).toMatch(
      /^tool: http:\/\/nowhere\.invalid\/ was not fetched: nowhere\.invalid:80 cannot be found/,
    )
  })
})
