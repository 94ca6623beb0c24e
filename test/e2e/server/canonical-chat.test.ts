import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { serveWorld } from '../../support/live/served.ts'
import { openWorld } from '../../support/programs/world.ts'

function message(fields: object = {}) {
  return {
    id: randomUUID(),
    role: 'user',
    content: 'What is the word?',
    timestamp: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    ...fields,
  }
}

const path = '/v1/canonical/chat'

describe('a canonical chat', () => {
  it('answers with a message, the model and the tokens', async () => {
    const world = await openWorld()
    world.server.reply({ blocks: [{ type: 'text', text: 'It is larch.' }] })
    const { call } = await serveWorld(world)
    const [first, last] = [message({ role: 'user', content: 'Hello' }), message()]
    const { status, json, headers } = await call('POST', path, {
      messages: [
        message({ role: 'system', content: 'Speak plainly.' }),
        first,
        message({ role: 'assistant', content: 'Hello too.' }),
        last,
      ],
      temperature: 0.7,
      max_tokens: 1000,
    })
    expect([status, json]).toEqual([
      200,
      {
        message: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          role: 'assistant',
          content: 'It is larch.',
          timestamp: expect.stringMatching(/Z$/),
        },
        model: 'fake/model-1',
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      },
    ])
    const [session] = await world.sessions()
    expect(session?.id).toBe(headers.get('x-pipe-session'))
    const kept = session?.messages.map(({ id }) => id)
    expect(kept?.[0]).toBe(first.id)
    expect(kept?.[2]).toBe(last.id)
    const [request] = world.server.requests
    expect(request?.body).toMatchObject({ temperature: 0.7 })
    expect(JSON.stringify(request?.body.messages)).toContain('Speak plainly.')
  })

  it('streams the text, and ends with the response', async () => {
    const world = await openWorld()
    world.server.reply({ blocks: [{ type: 'text', text: 'Larch,\r\nof course.' }] })
    const { events } = await serveWorld(world)
    const stream = events(path, { method: 'POST', body: { messages: [message()], stream: true } })
    let text = ''
    const others = []
    for await (const { event, json } of stream) {
      if (event === 'text') text += Object(json).text
      else others.push([event, json])
    }
    expect(text).toBe('Larch,\r\nof course.')
    expect(others).toEqual([
      [
        'response',
        {
          message: expect.objectContaining({ role: 'assistant', content: 'Larch,\r\nof course.' }),
          model: 'fake/model-1',
          usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
        },
      ],
    ])
  })

  it('refuses what breaks a rule, by its field', async () => {
    const world = await openWorld()
    const { call } = await serveWorld(world)
    const refusal = async (body: object) => (await call('POST', path, body)).json
    const field = async (body: object) => Object(await refusal(body)).details?.field
    expect(await refusal({ messages: [] })).toEqual({
      code: 'INVALID_REQUEST',
      message: 'Invalid request format',
      details: { field: 'messages', reason: 'Cannot be empty' },
    })
    const messages = [message()]
    const facts = [
      [{}, 'messages'],
      [{ messages: [message({ id: 'x' })] }, 'messages.0.id'],
      [{ messages: [message({ role: 'tool' })] }, 'messages.0.role'],
      [{ messages: [message({ content: ' \n' })] }, 'messages.0.content'],
      [{ messages: [message({ timestamp: '2999-01-01T00:00:00Z' })] }, 'messages.0.timestamp'],
      [{ messages: [message({ timestamp: '1900-01-01T00:00:00Z' })] }, 'messages.0.timestamp'],
      [{ messages: [message({ metadata: { n: 1 } })] }, 'messages.0.metadata.n'],
      [{ messages: [message({ role: 'assistant' })] }, 'messages'],
      [{ messages, temperature: 2.1 }, 'temperature'],
      [{ messages, max_tokens: 0 }, 'max_tokens'],
      [{ messages, stream: 'yes' }, 'stream'],
      [{ messages, model: 'nobody/nothing' }, 'model'],
    ] as const
    for (const [body, expected] of facts) expect(await field(body), JSON.stringify(body)).toBe(expected)
  })

  it('tells a failure before the first word by its status, and a later one as an event', async () => {
    const world = await openWorld()
    const { call, events } = await serveWorld(world)
    world.server.reply({ status: 400, body: '{"error":{"message":"no such option"}}' })
    expect(await call('POST', path, { messages: [message()], stream: true })).toMatchObject({
      status: 400,
      json: { code: 'INVALID_REQUEST', message: expect.stringContaining('no such option') },
    })
    world.server.reply({
      sse: 'data: {"choices":[{"index":0,"delta":{"content":"Half"}}]}\n\ndata: {"error":{"message":"broken","code":400}}\n\n',
    })
    const seen = []
    for await (const { event } of events(path, {
      method: 'POST',
      body: { messages: [message()], stream: true },
    }))
      seen.push(event)
    expect(seen).toEqual(['text', 'error'])
  })
})
