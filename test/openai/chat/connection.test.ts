import { expect, it, onTestFinished, vi } from 'vitest'
import { createTransport } from '../../../src/http/transport.ts'
import { createChatProvider } from '../../../src/openai/chat/provider.ts'
import { complete } from '../../../src/provider.ts'
import { type FakeReply, startFakeServer } from '../../support/fake-server.ts'
import { createHandClock } from '../../support/hand-clock.ts'
import { countingIds } from '../../support/ids.ts'
import { text, user } from '../../support/messages.ts'
import { thrown } from '../../support/thrown.ts'

const request = { model: 'm-1', systemPrompt: '', messages: [user(text('hello'))], tools: [] }
const { signal } = new AbortController()

async function connect(...replies: readonly FakeReply[]) {
  const server = await startFakeServer(...replies)
  const transport = createTransport()
  onTestFinished(async () => {
    transport.close()
    await server.close()
    expect(server.violations).toEqual([])
  })
  const { baseUrl } = server
  const ports = { transport, newId: countingIds(), clock: createHandClock() }
  return { server, provider: createChatProvider({ name: 'openai', baseUrl, ...ports }) }
}

it('replies one after another share a connection', async () => {
  const reply = { blocks: [text('Hello there')] }
  const { server, provider } = await connect(...Array.from({ length: 20 }, () => reply))
  await vi.waitFor(async () => {
    const message = await complete(provider, request, { signal })
    expect(message.content).toEqual([text('Hello there')])
    expect(server.connections).toBeLessThan(server.requests.length)
  })
})

it('a connection that breaks in the middle is a network error that keeps what had come', async () => {
  const sse = 'data: {"choices":[{"index":0,"delta":{"content":"Half"},"finish_reason":null}]}\r\n\r\n'
  const { provider } = await connect({ sse, ending: 'reset' })
  const stream = provider.stream(request, { signal })
  const error = await thrown(async () => {
    for await (const _ of stream);
  })
  expect(error).toMatchObject({ name: 'PipeError', code: 'network' })
  expect(stream.message()).toMatchObject({ content: [text('Half')], stopReason: 'error' })
})
