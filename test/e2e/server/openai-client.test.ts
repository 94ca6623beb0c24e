import { existsSync } from 'node:fs'
import { join } from 'node:path'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { openClient } from '../../support/live/served.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'

/** Serves the project of a world, and returns the client that programs use. */
async function connect(world: World, args: readonly string[] = []) {
  const program = world.start(['serve', '--json', ...args])
  await program.until(/\n/)
  const { url, token } = JSON.parse(program.stdout)
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: token, maxRetries: 0 })
  return { client, program, url, token }
}

const add = {
  type: 'function',
  function: {
    name: 'add',
    description: 'Adds numbers.',
    parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
  },
} as const

const looks = {
  blocks: [
    { type: 'text', text: 'I look.' },
    { type: 'tool_call', name: 'read', arguments: { path: 'note.txt' } },
  ],
} as const
const text = (words: string) => ({ blocks: [{ type: 'text', text: words }] }) as const

describe('the agent for a client of chat completions', () => {
  it('answers with the text of its last round, after calls of its own', async () => {
    const world = await openWorld()
    await world.put('note.txt', 'the word is larch')
    world.server.reply(looks, text('It is larch.'))
    const { client } = await connect(world)
    const { data: completion, response } = await client.chat.completions
      .create({
        model: 'pipe',
        messages: [
          { role: 'system', content: 'Speak plainly.' },
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: 'Hello too.' },
          { role: 'user', content: 'What is the word?' },
        ],
      })
      .withResponse()
    expect(completion).toEqual({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'fake/model-1',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'It is larch.', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 20,
        completion_tokens: 10,
        total_tokens: 30,
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    })
    const [session] = await world.sessions()
    expect(session?.id).toBe(response.headers.get('x-pipe-session'))
    expect(session?.messages.map(({ type }) => type)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'tool_result',
      'assistant',
    ])
    const [first] = world.server.requests
    expect(JSON.stringify(first?.body.messages)).toContain('Speak plainly.')
  })

  it('streams the texts of all rounds, with a blank line between them', async () => {
    const world = await openWorld()
    await world.put('note.txt', 'larch')
    world.server.reply(looks, text('It is larch.'))
    const { client } = await connect(world)
    const stream = await client.chat.completions.create({
      model: 'fake/model-1',
      messages: [{ role: 'user', content: 'What is the word?' }],
      stream: true,
      stream_options: { include_usage: true },
    })
    let said = ''
    const chunks = []
    for await (const chunk of stream) {
      chunks.push(chunk)
      said += chunk.choices[0]?.delta.content ?? ''
    }
    expect(said).toBe('I look.\n\nIt is larch.')
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' })
    expect(
      chunks.slice(-2).map(({ choices, usage }) => [choices[0]?.finish_reason, usage?.total_tokens]),
    ).toEqual([
      ['stop', undefined],
      [undefined, 30],
    ])
  })

  it('tells what it does to those who ask for events', async () => {
    const world = await openWorld()
    world.server.reply(text('Done.'))
    const { url, token } = await connect(world)
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        messages: [{ role: 'user', content: 'Do it.' }],
        pipe: { events: true },
      }),
    })
    expect(await response.json()).toMatchObject({
      pipe: {
        events: expect.arrayContaining(
          ['turn_start', 'round_start', 'text_delta', 'message', 'turn_end'].map((type) =>
            expect.objectContaining({ type }),
          ),
        ),
      },
    })
  })

  it('refuses a call that nobody is there to approve', async () => {
    const world = await openWorld()
    world.server.reply(
      { blocks: [{ type: 'tool_call', name: 'bash', arguments: { command: 'touch made' } }] },
      text('I may not.'),
    )
    const { client } = await connect(world)
    const { choices } = await client.chat.completions.create({
      model: 'pipe',
      messages: [{ role: 'user', content: 'Make a file.' }],
    })
    expect(choices[0]?.message.content).toBe('I may not.')
    expect(JSON.stringify(world.server.requests[1]?.body.messages)).toContain('nobody can be asked')
  })

  it('ends the answer with an error if it shall stop at a question', async () => {
    const world = await openWorld()
    world.server.reply({
      blocks: [{ type: 'tool_call', name: 'bash', arguments: { command: 'touch made' } }],
    })
    const { client } = await connect(world, ['--on-ask', 'stop'])
    const answer = client.chat.completions.create({
      model: 'pipe',
      messages: [{ role: 'user', content: 'Make a file.' }],
    })
    await expect(answer).rejects.toMatchObject({ status: 403, code: 'permission' })
  })

  it('never answers with a call of its own, which the client would try to carry out', async () => {
    const world = await openWorld()
    world.server.reply({
      blocks: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_call', name: 'read', arguments: { path: 'note.txt' } },
      ],
      finishReason: 'length',
    })
    const { client } = await connect(world)
    const { choices } = await client.chat.completions.create({
      model: 'pipe',
      messages: [{ role: 'user', content: 'Read it.' }],
    })
    expect(choices).toEqual([
      {
        index: 0,
        message: { role: 'assistant', content: 'I look.', refusal: null },
        logprobs: null,
        finish_reason: 'length',
      },
    ])
  })

  it('breaks a stream of which a part was sent when the model is asked again, and answers whole ones with the last try', async () => {
    const world = await openWorld()
    const half = (ending: 'drop') => ({ sse: replyEvents([{ type: 'text', text: 'Half' }])[0] ?? '', ending })
    world.server.reply(half('drop'), text('All of it.'), half('drop'), text('All of it.'))
    const { client, url, token } = await connect(world)
    const asked = { model: 'pipe', messages: [{ role: 'user' as const, content: 'Say it.' }] }
    const whole = await client.chat.completions.create(asked)
    expect(whole.choices[0]?.message.content).toBe('All of it.')
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...asked, stream: true }),
    })
    const body = await response.text()
    expect(body).toContain('Half')
    expect(body).not.toContain('All of it')
    expect(body).not.toContain('[DONE]')
    expect(JSON.parse(body.trimEnd().split('\n').at(-1)?.slice(6) ?? '')).toEqual({
      error: {
        message: expect.stringContaining('was cut off after part of it was sent'),
        type: 'server_error',
        param: null,
        code: 'protocol',
      },
    })
  })

  it('leaves a question to those who watch its session, and waits for them', async () => {
    const world = await openWorld()
    let goOn = () => {}
    const isWatched = new Promise<void>((resolve) => {
      goOn = resolve
    })
    world.server.reply(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const [first = '', ...others] = replyEvents([
        { type: 'text', text: 'I make it.' },
        { type: 'tool_call', name: 'bash', arguments: { command: 'touch made' } },
      ])
      response.write(first)
      await isWatched
      response.end(others.join(''))
    }, text('It is made.'))
    const { client, url, token } = await connect(world)
    const { data: stream, response } = await client.chat.completions
      .create({ model: 'pipe', messages: [{ role: 'user', content: 'Make a file.' }], stream: true })
      .withResponse()
    const { events, call } = await openClient(url, token)
    const session = `/v1/sessions/${response.headers.get('x-pipe-session')}`
    for await (const { json } of events(`${session}/events`)) {
      const { type, interaction } = Object(json)
      if (type === 'snapshot') goOn()
      if (type !== 'interaction_requested') continue
      const answer = { interaction_id: interaction.id, selected_option_id: 'allow' }
      await call('POST', `${session}/commands`, { type: 'respond', response: answer })
      break
    }
    let said = ''
    for await (const { choices } of stream) said += choices[0]?.delta.content ?? ''
    expect(said).toBe('I make it.\n\nIt is made.')
    expect(existsSync(join(world.cwd, 'made'))).toBe(true)
  })

  it('stops and saves its turn when the client goes away', async () => {
    const world = await openWorld()
    let closed: Promise<boolean> | undefined
    world.server.reply(async (request, response) => {
      closed = request.closed
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(replyEvents([{ type: 'text', text: 'This goes on' }])[0])
      await closed
    })
    const { client } = await connect(world)
    const stream = await client.chat.completions.create({
      model: 'pipe',
      messages: [{ role: 'user', content: 'Count.' }],
      stream: true,
    })
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break
    await expect.poll(() => closed).toBe(true)
    await expect
      .poll(async () => (await world.sessions())[0]?.messages.at(-1)?.['stop_reason'])
      .toBe('aborted')
  })
})

describe('a model for a client with tools of its own', () => {
  it('sends calls to the client, whole and as they come, and takes their results', async () => {
    const world = await openWorld()
    const call = {
      blocks: [{ type: 'tool_call', id: 'call_a', name: 'add', arguments: { a: 1, b: 2 } }],
    } as const
    world.server.reply(call, call, text('3'))
    const { client } = await connect(world)
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'What is 1 + 2?' }]
    const asked = { model: 'fake/model-1', messages, tools: [add] }
    const { choices } = await client.chat.completions.create(asked)
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [
          { id: 'call_a', type: 'function', function: { name: 'add', arguments: '{"a":1,"b":2}' } },
        ],
      },
    })
    const streamed = await client.chat.completions.stream(asked).finalChatCompletion()
    expect(streamed.choices[0]?.message.tool_calls).toEqual([
      expect.objectContaining({
        id: 'call_a',
        function: expect.objectContaining({ arguments: '{"a":1,"b":2}' }),
      }),
    ])
    expect(streamed.choices[0]?.finish_reason).toBe('tool_calls')
    const last = await client.chat.completions.create({
      ...asked,
      messages: [
        ...messages,
        choices[0]?.message ?? expect.fail(),
        { role: 'tool', tool_call_id: 'call_a', content: '3' },
      ],
      tool_choice: 'auto',
    })
    expect(last.choices[0]?.message.content).toBe('3')
    expect(await world.sessions()).toEqual([])
    expect(world.server.requests[2]?.body.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
    ])
  })

  it('passes on where to stop, the form of the answer, and that calls come one at a time', async () => {
    const world = await openWorld()
    world.server.reply(text('{"a":1}'))
    const { client } = await connect(world)
    const json_schema = { name: 'answer', schema: { type: 'object' }, strict: true }
    const options = { stop: 'END', parallel_tool_calls: false } as const
    await client.chat.completions.create({
      model: 'model/fake/model-1',
      messages: [{ role: 'user', content: 'Answer.' }],
      tools: [add],
      ...options,
      response_format: { type: 'json_schema', json_schema },
    })
    expect(world.server.requests[0]?.body).toMatchObject({
      ...options,
      stop: ['END'],
      response_format: { type: 'json_schema', json_schema },
    })
  })

  it('runs the loop of tools that the client has', async () => {
    const world = await openWorld()
    world.server.reply(
      { blocks: [{ type: 'tool_call', name: 'add', arguments: { a: 20, b: 22 } }] },
      text('It is 42.'),
    )
    const { client } = await connect(world)
    const runner = client.chat.completions.runTools({
      model: 'fake/model-1',
      messages: [{ role: 'user', content: 'What is 20 + 22?' }],
      tools: [
        {
          type: 'function',
          function: {
            ...add.function,
            parse: JSON.parse,
            function: ({ a, b }: { a: number; b: number }) => String(a + b),
          },
        },
      ],
    })
    expect(await runner.finalContent()).toBe('It is 42.')
  })

  it('answers without any tools if the name says so', async () => {
    const world = await openWorld()
    world.server.reply(text('A title'))
    const { client } = await connect(world)
    const { choices } = await client.chat.completions.create({
      model: 'model/fake/model-1',
      messages: [{ role: 'user', content: 'Name it.' }],
    })
    expect(choices[0]?.message.content).toBe('A title')
    expect(world.server.requests[0]?.body.tools).toBeUndefined()
    expect(await world.sessions()).toEqual([])
  })

  it('asks again before the first byte, and not after it', async () => {
    const world = await openWorld()
    const [begin = ''] = replyEvents([{ type: 'text', text: 'Half' }])
    world.server.reply({ status: 503, headers: { 'retry-after-ms': '1' } }, text('Here.'), {
      sse: begin,
      ending: 'drop',
    })
    const { client, url, token } = await connect(world)
    const asked = {
      model: 'fake/model-1',
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [add],
    } as const
    const { choices } = await client.chat.completions.create({
      ...asked,
      messages: [...asked.messages],
      tools: [add],
    })
    expect(choices[0]?.message.content).toBe('Here.')
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...asked, stream: true }),
    })
    const body = await response.text()
    expect(response.status).toBe(200)
    expect(body).not.toContain('[DONE]')
    expect(JSON.parse(body.trimEnd().split('\n').at(-1)?.slice(6) ?? '')).toEqual({
      error: { message: expect.any(String), type: 'server_error', param: null, code: 'network' },
    })
  })

  it('closes the connection to the model when the client goes away', async () => {
    const world = await openWorld()
    let closed: Promise<boolean> | undefined
    world.server.reply(async (request) => {
      closed = request.closed
      await closed
    })
    const { client } = await connect(world)
    const stop = new AbortController()
    const answer = client.chat.completions.create(
      { model: 'fake/model-1', messages: [{ role: 'user', content: 'Hi' }], tools: [add] },
      { signal: stop.signal },
    )
    const failed = expect(answer).rejects.toBeInstanceOf(OpenAI.APIUserAbortError)
    await expect.poll(() => closed !== undefined).toBe(true)
    stop.abort()
    await failed
    expect(await closed).toBe(true)
  })
})

describe('the names and errors that clients see', () => {
  it('lists models and finds each by its name', async () => {
    const world = await openWorld()
    const { client } = await connect(world)
    const names = []
    for await (const { id } of client.models.list()) names.push(id)
    expect(names).toEqual(expect.arrayContaining(['pipe', 'agent/explore']))
    expect(await client.models.retrieve('agent/explore')).toEqual({
      id: 'agent/explore',
      object: 'model',
      created: expect.any(Number),
      owned_by: 'pipe',
    })
    await expect(client.models.retrieve('fake/nothing')).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    })
  })

  it('refuses what it does not support, by its field', async () => {
    const world = await openWorld()
    const { client } = await connect(world)
    const refused = async (fields: object) => {
      const asked = { model: 'pipe', messages: [{ role: 'user', content: 'Hi' }], ...fields }
      return client.post('/chat/completions', { body: asked }).then(
        () => 'answered',
        ({ status, code, param }) => [status, code, param],
      )
    }
    const facts = [
      [{ model: 'nobody/nothing' }, [404, 'model_not_found', 'model']],
      [{ model: 'agent/nobody' }, [404, 'model_not_found', 'model']],
      [{ model: 'nobody/nothing', tools: [add] }, [404, 'model_not_found', 'model']],
      [{ model: 'agent/explore', tools: [add] }, [400, 'invalid_request', 'model']],
      [{ stop: ['.'] }, [400, 'invalid_request', 'stop']],
      [{ response_format: { type: 'json_object' } }, [400, 'invalid_request', 'response_format']],
      [{ n: 2 }, [400, 'invalid_request', 'n']],
      [{ temperature: 3 }, [400, 'invalid_request', 'temperature']],
      [{ messages: [] }, [400, 'invalid_request', 'messages']],
      [{ messages: [{ role: 'assistant', content: 'Hi' }] }, [400, 'invalid_request', 'messages']],
    ] as const
    for (const [fields, refusal] of facts)
      expect(await refused(fields), JSON.stringify(fields)).toEqual(refusal)
  })

  it('refuses a wrong key', async () => {
    const world = await openWorld()
    const { url } = await connect(world)
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'wrong', maxRetries: 0 })
    await expect(client.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
  })
})
