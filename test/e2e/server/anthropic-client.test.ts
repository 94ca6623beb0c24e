import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { serveWorld } from '../../support/live/served.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'

/** Serves the project of a world, and returns the client that programs use. */
async function connect(world: World) {
  const { url, token } = await serveWorld(world)
  return { client: new Anthropic({ baseURL: url, apiKey: token, maxRetries: 0 }), url, token }
}

const add: Anthropic.Tool = {
  name: 'add',
  description: 'Adds numbers.',
  input_schema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
}

const text = (words: string) => ({ blocks: [{ type: 'text', text: words }] }) as const
const sum = {
  blocks: [
    { type: 'thinking', thinking: 'I add.' },
    { type: 'text', text: 'One moment.' },
    { type: 'tool_call', id: 'call_a', name: 'add', arguments: { a: 1, b: 2 } },
    { type: 'tool_call', id: 'call_b', name: 'add', arguments: { a: 3, b: 4 } },
  ],
} as const
const said = [
  { type: 'text', text: 'One moment.' },
  { type: 'tool_use', id: 'call_a', name: 'add', input: { a: 1, b: 2 } },
  { type: 'tool_use', id: 'call_b', name: 'add', input: { a: 3, b: 4 } },
]
const thought = { type: 'thinking', thinking: 'I add.', signature: '' }
const question = { role: 'user', content: 'What is 1 + 2?' } as const

describe('a model for a client of the Messages API', () => {
  it('sends calls to the client, whole and as they come, and takes their results', async () => {
    const world = await openWorld()
    world.server.reply(sum, sum, text('It is 3.'))
    const { client } = await connect(world)
    const asked = {
      model: 'fake/model-1',
      max_tokens: 2_000,
      system: 'Be brief.',
      tools: [add],
      messages: [question],
    }
    const whole = await client.messages.create(asked)
    expect(whole).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'fake/model-1',
      content: said,
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 5 },
    })
    const thinking = { type: 'enabled', budget_tokens: 1_024 } as const
    const streamed = await client.messages.stream({ ...asked, thinking }).finalMessage()
    expect([streamed.content, streamed.stop_reason]).toEqual([[thought, ...said], 'tool_use'])
    expect(streamed.usage).toMatchObject({ input_tokens: 10, output_tokens: 5 })
    const last = await client.messages.create({
      ...asked,
      messages: [
        question,
        { role: 'assistant', content: streamed.content },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_a', content: '3' },
            {
              type: 'tool_result',
              tool_use_id: 'call_b',
              content: [{ type: 'text', text: '7' }],
              is_error: true,
            },
            { type: 'text', text: 'And now?' },
          ],
        },
      ],
    })
    expect(last.content).toEqual([{ type: 'text', text: 'It is 3.' }])
    expect(await world.sessions()).toEqual([])
    const [first, , third] = world.server.requests
    expect(first?.body).toMatchObject({
      max_tokens: 2_000,
      messages: [{ role: 'system', content: 'Be brief.' }, question],
    })
    expect(third?.body.messages.map(({ role }) => role)).toEqual([
      ...['system', 'user', 'assistant', 'tool', 'tool', 'user'],
    ])
  })

  it('passes on where to stop, the form of the answer, and that calls come one at a time', async () => {
    const world = await openWorld()
    const schema = { type: 'object', properties: { a: { type: 'number' } } }
    world.server.reply(text('{"a":1}'))
    const { client } = await connect(world)
    await client.messages.create({
      model: 'fake/model-1',
      max_tokens: 100,
      messages: [question],
      tools: [add],
      stop_sequences: ['END'],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      output_config: { format: { type: 'json_schema', schema } },
    })
    expect(world.server.requests[0]?.body).toMatchObject({
      stop: ['END'],
      tool_choice: 'required',
      parallel_tool_calls: false,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
    })
  })

  it('lets the agent answer to its own name alone, and counts tokens', async () => {
    const world = await openWorld()
    world.server.reply(text('A title'), text('I am the agent.'))
    const { client } = await connect(world)
    const ask = (model: string) => client.messages.create({ model, max_tokens: 100, messages: [question] })
    expect((await ask('fake/model-1')).content).toEqual([{ type: 'text', text: 'A title' }])
    expect(await world.sessions()).toEqual([])
    expect((await ask('pipe')).content).toEqual([{ type: 'text', text: 'I am the agent.' }])
    expect((await world.sessions()).length).toBe(1)
    const { input_tokens: few } = await client.messages.countTokens({ model: 'x', messages: [question] })
    const long = { role: 'user', content: 'word '.repeat(1_000) } as const
    const { input_tokens: many } = await client.messages.countTokens({
      model: 'x',
      messages: [question, long],
    })
    expect(many - few).toBe(1_250)
  })

  it('breaks a stream with the reason, and refuses as its clients expect', async () => {
    const world = await openWorld()
    const [begin = ''] = replyEvents([{ type: 'text', text: 'Half' }])
    world.server.reply({ sse: begin, ending: 'drop' })
    const { client, url } = await connect(world)
    const asked = { model: 'fake/model-1', max_tokens: 100, messages: [question] }
    let half = ''
    const stream = client.messages.stream(asked).on('text', (piece) => {
      half += piece
    })
    await expect(stream.finalMessage()).rejects.toThrow('api_error')
    expect(half).not.toBe('')
    const refusal = (fields: object) =>
      client.post('/v1/messages', { body: { ...asked, ...fields } }).then(
        () => 'answered',
        ({ status, error }) => [status, error.error.type],
      )
    expect(await refusal({ model: 'nobody/nothing' })).toEqual([404, 'not_found_error'])
    expect(await refusal({ max_tokens: 0 })).toEqual([400, 'invalid_request_error'])
    expect(await refusal({ messages: [] })).toEqual([400, 'invalid_request_error'])
    const web = [{ type: 'web_search_20250305', name: 'web_search' }]
    expect(await refusal({ tools: web })).toEqual([400, 'invalid_request_error'])
    const other = new Anthropic({ baseURL: url, apiKey: 'wrong', maxRetries: 0 })
    await expect(other.messages.create(asked)).rejects.toBeInstanceOf(Anthropic.AuthenticationError)
  })
})
