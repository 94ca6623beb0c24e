import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { serveWorld } from '../../support/live/served.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'

/** Serves the project of a world, and returns the client that programs use. */
async function connect(world: World) {
  const { url, token, call } = await serveWorld(world)
  return { client: new OpenAI({ baseURL: `${url}/v1`, apiKey: token, maxRetries: 0 }), call }
}

const add = {
  type: 'function',
  name: 'add',
  description: 'Adds numbers.',
  parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
  strict: false,
} as const
const patch = { type: 'custom', name: 'patch', description: 'Changes files.' } as const

const text = (words: string) => ({ blocks: [{ type: 'text', text: words }] }) as const
const sum = {
  blocks: [
    { type: 'thinking', thinking: 'I add.' },
    { type: 'text', text: 'One moment.' },
    { type: 'tool_call', id: 'call_a', name: 'add', arguments: { a: 1, b: 2 } },
    { type: 'tool_call', id: 'call_b', name: 'patch', arguments: { input: '*** Begin' } },
  ],
} as const
const output = [
  { id: expect.any(String), type: 'reasoning', summary: [{ type: 'summary_text', text: 'I add.' }] },
  {
    id: expect.any(String),
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [expect.objectContaining({ type: 'output_text', text: 'One moment.' })],
  },
  {
    id: expect.any(String),
    type: 'function_call',
    status: 'completed',
    call_id: 'call_a',
    name: 'add',
    arguments: '{"a":1,"b":2}',
  },
  {
    id: expect.any(String),
    type: 'custom_tool_call',
    status: 'completed',
    call_id: 'call_b',
    name: 'patch',
    input: '*** Begin',
  },
]

describe('a model for a client of the Responses API', () => {
  it('sends calls to the client, whole and as they come, and takes their results', async () => {
    const world = await openWorld()
    world.server.reply(sum, sum, text('It is 3.'))
    const { client } = await connect(world)
    const asked: OpenAI.Responses.ResponseCreateParams = {
      model: 'fake/model-1',
      instructions: 'Be brief.',
      input: [
        { role: 'developer', content: 'Add only.' },
        { role: 'user', content: 'What is 1 + 2?' },
      ],
      tools: [add, patch, { type: 'web_search' }],
      parallel_tool_calls: true,
    }
    const whole = await client.responses.create({ ...asked, stream: false })
    expect(whole).toMatchObject({ status: 'completed', model: 'fake/model-1', output_text: 'One moment.' })
    expect(whole.output).toEqual(output)
    expect(whole.usage).toEqual({
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    })
    const streamed = await client.responses.stream({ ...asked, stream: true }).finalResponse()
    expect(streamed.output.map((item) => ({ ...item, parsed_arguments: undefined }))).toMatchObject(output)
    const input = [
      { role: 'user', content: 'What is 1 + 2?' },
      ...whole.output,
      { type: 'function_call_output', call_id: 'call_a', output: '3' },
      { type: 'custom_tool_call_output', call_id: 'call_b', output: 'changed' },
    ]
    const last = await client.post('/responses', {
      body: { model: 'fake/model-1', input, tools: [add, patch] },
    })
    expect(last).toMatchObject({ status: 'completed', output: [{ content: [{ text: 'It is 3.' }] }] })
    expect(await world.sessions()).toEqual([])
    const [first, , third] = world.server.requests
    expect(first?.body.tools?.map((tool) => tool.function.name)).toEqual(['add', 'patch'])
    expect(first?.body).toMatchObject({
      parallel_tool_calls: true,
      messages: [
        { role: 'system', content: 'Be brief.\n\nAdd only.' },
        { role: 'user', content: 'What is 1 + 2?' },
      ],
    })
    expect(third?.body.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool'])
  })

  it('numbers the events of a stream, each item of which ends before the response does', async () => {
    const world = await openWorld()
    world.server.reply(sum)
    const { client } = await connect(world)
    const stream = await client.responses.create({
      model: 'fake/model-1',
      input: 'What is 1 + 2?',
      tools: [add, patch],
      stream: true,
    })
    const types: string[] = []
    let number = 0
    for await (const event of stream) {
      expect(event.sequence_number).toBe(number++)
      if (types.at(-1) !== event.type) types.push(event.type)
    }
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.output_item.added',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.custom_tool_call_input.delta',
      'response.custom_tool_call_input.done',
      'response.output_item.done',
      'response.completed',
    ])
  })

  it('answers in the form that the client wants, and says where an answer was cut', async () => {
    const world = await openWorld()
    const schema = { type: 'object', properties: { a: { type: 'number' } } }
    world.server.reply({ blocks: [{ type: 'text', text: '{"a"' }], finishReason: 'length' })
    const { client } = await connect(world)
    const cut = await client.responses.create({
      model: 'fake/model-1',
      input: 'Answer.',
      max_output_tokens: 20,
      text: { format: { type: 'json_schema', name: 'answer', schema, strict: true } },
    })
    expect([cut.status, cut.incomplete_details, cut.output_text]).toEqual([
      'incomplete',
      { reason: 'max_output_tokens' },
      '{"a"',
    ])
    expect(world.server.requests[0]?.body.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema, strict: true },
    })
  })

  it('lets the agent answer to its own name alone', async () => {
    const world = await openWorld()
    world.server.reply(text('A title'), text('I am the agent.'))
    const { client } = await connect(world)
    const title = await client.responses.create({ model: 'fake/model-1', input: 'Name it.' })
    expect([title.output_text, await world.sessions()]).toEqual(['A title', []])
    const { data, response } = await client.responses
      .create({ model: 'pipe', input: 'Who are you?' })
      .withResponse()
    expect(data.output_text).toBe('I am the agent.')
    expect((await world.sessions())[0]?.id).toBe(response.headers.get('x-pipe-session'))
  })

  it('breaks a stream with the reason, and refuses what it does not support by its field', async () => {
    const world = await openWorld()
    const [begin = ''] = replyEvents([{ type: 'text', text: 'Half' }])
    world.server.reply({ sse: begin, ending: 'drop' })
    const { client } = await connect(world)
    const stream = await client.responses.create({ model: 'fake/model-1', input: 'Hi', stream: true })
    let last: OpenAI.Responses.ResponseStreamEvent | undefined
    for await (const event of stream) last = event
    expect(last).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error', message: expect.any(String) } },
    })
    const facts = [
      [{ model: 'nobody/nothing' }, [404, 'model_not_found', 'model']],
      [{ previous_response_id: 'resp_1' }, [400, 'invalid_request', 'previous_response_id']],
      [{ background: true }, [400, 'invalid_request', 'background']],
      [{ prompt: { id: 'pmpt_1' } }, [400, 'invalid_request', 'prompt']],
      [{ input: [{ type: 'function_call', name: 'a' }] }, [400, 'invalid_request', 'input.0.call_id']],
      [{ input: [] }, [400, 'invalid_request', 'messages']],
    ] as const
    for (const [fields, refusal] of facts) {
      const body = { model: 'fake/model-1', input: 'Hi', ...fields }
      const refused = await client.post('/responses', { body }).then(
        () => 'answered',
        ({ status, code, param }) => [status, code, param],
      )
      expect(refused, JSON.stringify(fields)).toEqual(refusal)
    }
  })
})
