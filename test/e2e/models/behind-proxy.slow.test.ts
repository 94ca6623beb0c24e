import { describe, expect, it } from 'vitest'
import { openClient, serveWorld } from '../../support/live/served.ts'
import { holding, settled, watch } from '../../support/live/watching.ts'
import { say, use } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { hasProxy, startProxy } from '../../support/servers/reverse-proxy.ts'

/** Serves a world behind a web server. Returns clients of its root and of its path. */
async function serveBehind(name: 'nginx' | 'apache') {
  const world = await openWorld()
  const port = await freePort()
  await world.configure({
    model: 'fake/model-1',
    providers: { fake: { dialect: 'openai-chat', base_url: world.server.baseUrl } },
    serve: { hosts: [`127.0.0.1:${port}`] },
  })
  const { url, token } = await serveWorld(world)
  await startProxy(name, port, Number(new URL(url).port))
  const origin = `http://127.0.0.1:${port}`
  return {
    world,
    origin,
    token,
    clients: [await openClient(origin, token), await openClient(`${origin}/pipe`, token)],
  }
}

describe.each(['nginx', 'apache'] as const)('a server behind %s as it comes', (name) => {
  it.skipIf(!hasProxy(name))('shows a question while its turn waits, and takes the answer', async () => {
    const { world, clients, origin } = await serveBehind(name)
    for (const client of clients) {
      world.server.reply(use(['bash', { command: 'touch made' }]), say('It is made.'))
      const { json } = await client.call('POST', '/v1/sessions', { text: 'make it' }, { headers: { origin } })
      const id = String(Object(json).id)
      const watching = await watch(client, `/v1/sessions/${id}/events`)
      const asked = await watching.until(
        ({ json }) => json.type === 'interaction_requested' || json.questions?.length > 0,
      )
      const question = asked.json.interaction ?? asked.json.questions[0]
      const response = { interaction_id: question.id, selected_option_id: 'allow' }
      await client.call('POST', `/v1/sessions/${id}/commands`, { type: 'respond', response })
      await watching.untilType('turn_end')
      await watching.close()
      await settled(client, id)
    }
  })

  it.skipIf(!hasProxy(name))('streams a chat as it comes, and answers a body that is too large', async () => {
    const { world, clients } = await serveBehind(name)
    for (const client of clients) {
      const held = holding('Hello', ' there.')
      world.server.reply(held.reply)
      const body = { stream: true, messages: [{ role: 'user', content: 'hi' }] }
      const events = client.events('/v1/chat/completions', { method: 'POST', body })
      let last = ''
      // The text arrives while the model still writes.
      while (!last.includes('"content":"Hel')) last = (await events.next()).value?.data ?? ''
      held.answer()
      for await (const { data } of events) last = data
      expect(last).toBe('[DONE]')
      expect((await client.call('POST', '/v1/tasks', 'x'.repeat(300_000))).status).toBe(413)
    }
  })

  it.skipIf(!hasProxy(name))('sends the page, whose addresses are relative', async () => {
    const { origin } = await serveBehind(name)
    for (const page of ['/', '/pipe/', '/pipe/sessions/0190ab']) {
      const html = await (await fetch(`${origin}${page}`)).text()
      const [, script = ''] = /src="([^"]+)"/.exec(html) ?? []
      const { status, headers } = await fetch(new URL(script, `${origin}${page}`))
      expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    }
  })
})
