import type { ServerResponse } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { createTransport } from '../../../src/http/transport.ts'
import { complete } from '../../../src/provider.ts'
import { deferred } from '../../support/clocks/deferred.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { text, user } from '../../support/messages/messages.ts'
import type { FakeRequest } from '../../support/models/fake-server.ts'
import { type Wire, wires } from '../../support/models/wires.ts'

const request = { model: 'm-1', systemPrompt: '', messages: [user(text('hello'))], tools: [] }
const { signal } = new AbortController()
const blocks = [text('All of it.')]

/** Dialects in which usage may follow the stop reason: events after the reason, and how many of these are the end itself. */
const cases = wires.flatMap((wire): (readonly [string, Wire, number, number])[] => {
  if (wire.dialect === 'openai-chat') return [[wire.dialect, wire, 2, 1]]
  return wire.dialect === 'gemini' ? [[wire.dialect, wire, 0, 0]] : []
})

/** Starts a server that sends these events on demand, then neither ends its reply nor closes the connection. */
async function open(wire: Wire, events: readonly string[]) {
  const clock = createHandClock()
  const asked = deferred<readonly [FakeRequest<unknown>, ServerResponse]>()
  const server = await wire.start((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    asked.resolve([request, response])
  })
  const transport = createTransport()
  onTestFinished(async () => {
    transport.close()
    await server.close()
  })
  const { baseUrl } = server
  const provider = wire.connect({ name: 'it', baseUrl, transport, clock, newId: countingIds() })
  const reply = complete(provider, request, { signal })
  const [{ closed }, response] = await asked.promise
  const rest = [...events]
  const send = (count: number) => response.write(rest.splice(0, count).join(''))
  return { clock, reply, closed, send }
}

it.each(cases)('%s: ends a reply after 2 s of silence after the stop reason', async (_, wire, after) => {
  const events = wire.events(blocks)
  const { clock, reply, closed, send } = await open(wire, events)
  send(events.length - after)
  await expect.poll(() => clock.sleeping).toBe(1)
  clock.advance(2_000)
  expect(await reply).toMatchObject({ content: blocks, stopReason: 'end_turn' })
  expect(await closed).toBe(true)
  expect(clock.slept).toEqual([2_000])
})

it.each(cases)('%s: reads data that comes within that time', async (_, wire, after, ends) => {
  const events = wire.events(blocks)
  const { clock, reply, send } = await open(wire, events)
  send(events.length - after)
  await expect.poll(() => clock.slept).toHaveLength(1)
  clock.advance(1_999)
  send(after - ends)
  await expect.poll(() => clock.slept).toHaveLength(after > ends ? 2 : 1)
  clock.advance(after > ends ? 1_999 : 0)
  clock.advance(1)
  expect(await reply).toMatchObject({ content: blocks, usage: { inputTokens: 10, outputTokens: 5 } })
})
