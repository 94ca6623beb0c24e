import { expect, it, vi } from 'vitest'
import { text } from '../../support/messages/messages.ts'
import { ask, pull } from '../../support/models/asking.ts'
import { openWire, wireOf } from '../../support/models/wires.ts'

it('shares a connection between successive replies', async () => {
  const reply = { blocks: [text('Hello there')] }
  const { server, provider } = await openWire(
    wireOf['openai-chat'],
    Array.from({ length: 20 }, () => reply),
  )
  await vi.waitFor(async () => {
    const message = await ask(provider)
    expect(message.content).toEqual([text('Hello there')])
    expect(server.connections).toBeLessThan(server.requests.length)
  }, 60_000)
})

it('reports a broken connection as a network error and keeps the text so far', async () => {
  const sse = 'data: {"choices":[{"index":0,"delta":{"content":"Half"},"finish_reason":null}]}\r\n\r\n'
  const { provider } = await openWire(wireOf['openai-chat'], [{ sse, ending: 'reset' }])
  const { reply, error } = await pull(provider)
  expect(error).toMatchObject({ name: 'PipeError', code: 'network' })
  expect(reply).toMatchObject({ content: [text('Half')], stopReason: 'error' })
})
