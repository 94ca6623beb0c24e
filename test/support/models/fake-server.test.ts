import { describe, expect, it } from 'vitest'
import { startFakeServer } from './fake-server.ts'

const user = { role: 'user', content: 'hi' }
const body = (...messages: readonly object[]) => ({ model: 'm', stream: true, messages })

describe('the fake server', () => {
  const post = (url: string, value: object) =>
    fetch(url, {
      method: 'POST',
      body: JSON.stringify(value),
      headers: { 'content-type': 'application/json' },
    })

  it('returns its replies in order and records requests', async () => {
    const server = await startFakeServer({ blocks: [{ type: 'text', text: 'Hello there' }] })
    server.reply({ status: 503, headers: { 'retry-after': '1' }, body: 'busy' })
    const first = await post(`${server.baseUrl}/chat/completions`, body(user))
    expect((await first.text()).match(/(?<="content":")[^"]+/g)?.join('')).toBe('Hello there')
    const second = await post(`${server.baseUrl}/chat/completions`, body(user))
    expect([second.status, second.headers.get('retry-after'), await second.text()]).toEqual([
      503,
      '1',
      'busy',
    ])
    expect(server.requests.map((request) => request.body)).toEqual([body(user), body(user)])
    expect(await server.requests[0]?.closed).toBe(false)
    await server.close()
    expect(server.violations).toEqual([])
  })

  it('rejects invalid requests, and those without a scripted reply', async () => {
    const server = await startFakeServer()
    expect((await post(`${server.baseUrl}/chat/completions`, body())).status).toBe(400)
    expect((await post(`${server.baseUrl}/chat/completions`, body(user))).status).toBe(400)
    expect((await post(`${server.baseUrl}/models`, body(user))).status).toBe(400)
    expect(server.violations).toEqual([
      expect.stringContaining('messages'),
      'a request for which no reply is scripted',
      'POST /v1/models',
    ])
    await server.close()
  })
})
