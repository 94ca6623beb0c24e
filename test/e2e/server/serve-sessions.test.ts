import { describe, expect, it } from 'vitest'
import { serveWorld } from '../../support/live/served.ts'
import { holding, settled, watch } from '../../support/live/watching.ts'
import { long } from '../../support/messages/histories.ts'
import { say } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'

async function serveHere(args: readonly string[] = []) {
  const world = await openWorld()
  return { world, ...(await serveWorld(world, args)) }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

describe('sessions over HTTP', () => {
  it('names the projects, the first of which is the default', async () => {
    const { world, call } = await serveHere()
    expect((await call('GET', '/v1/projects')).json).toEqual({
      projects: [{ name: 'project', cwd: world.cwd }],
    })
  })

  it('begins a session with its first turn, and tells it as a row, in the list and with its conversation', async () => {
    const { world, call } = await serveHere()
    world.server.reply(say('Hello.'))
    const begun = await call('POST', '/v1/sessions', { text: 'hi there', mode: 'plan' })
    const row = {
      id: expect.stringMatching(uuid),
      project: 'project',
      cwd: world.cwd,
      title: 'hi there',
      opening: 'hi there',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      model: 'fake/model-1',
      mode: 'plan',
      state: expect.any(String),
      is_open: true,
      is_running: true,
      questions: 0,
    }
    expect([begun.status, begun.json]).toEqual([201, row])
    const { id } = begun.json as { id: string }
    const { position } = await settled({ call }, id)
    const idle = { ...row, state: 'idle', is_running: false, outcome: 'done' }
    expect((await call('GET', '/v1/sessions')).json).toEqual({ sessions: [idle] })
    expect((await call('GET', `/v1/sessions/${id}`)).json).toEqual({
      ...idle,
      snapshot: {
        position,
        state: 'idle',
        settled: true,
        messages: [
          expect.objectContaining({ type: 'user' }),
          expect.objectContaining({ type: 'assistant', content: [{ type: 'text', text: 'Hello.' }] }),
        ],
        usage: { input_tokens: 10, output_tokens: 5 },
        cost_usd: 0,
        reply: [],
        calls: [],
        questions: [],
        queue: [],
      },
    })
    expect((await world.sessions())[0]?.messages.length).toBe(2)
  })

  it('begins a session without a text, which the first message saves', async () => {
    const { world, call } = await serveHere()
    world.server.reply(say('Hello.'))
    const { id } = (await call('POST', '/v1/sessions')).json as { id: string }
    expect(await world.sessions()).toEqual([])
    expect((await call('GET', '/v1/sessions')).json).toEqual({ sessions: [expect.objectContaining({ id })] })
    expect((await call('GET', `/v1/agents/${id}`)).json).toMatchObject({
      id,
      state: 'idle',
      messages_processed: 0,
    })
    const message = 'b1946ac9-2e12-4b1e-8d3c-0123456789ab'
    const sent = await call('POST', `/v1/sessions/${id}/messages`, { text: 'hi', id: message })
    expect([sent.status, sent.json]).toEqual([201, { message_id: message, status: 'started' }])
    await settled({ call }, id)
    expect((await world.sessions())[0]?.messages[0]).toMatchObject({ id: message })
  })

  it('SERV-270: refuses what it cannot do, such as a folder that it was not started with, and says why', async () => {
    const { call } = await serveHere()
    const { id } = (await call('POST', '/v1/sessions')).json as { id: string }
    const refusals = [
      ['POST', '/v1/sessions', { project: 'other' }, 400, 'INVALID_REQUEST'],
      ['POST', '/v1/sessions', { project: '/etc' }, 400, 'INVALID_REQUEST'],
      ['POST', '/v1/sessions', { text: '  ' }, 400, 'INVALID_REQUEST'],
      ['POST', '/v1/sessions', { mode: 'yolo' }, 400, 'INVALID_REQUEST'],
      ['GET', '/v1/sessions/nothing-there', undefined, 404, 'NOT_FOUND'],
      ['GET', '/v1/sessions/..%2Fetc', undefined, 404, 'NOT_FOUND'],
      ['GET', '/v1/sessions/nothing-there/events', undefined, 404, 'NOT_FOUND'],
      ['GET', '/v1/sessions/nothing-there/elves', undefined, 404, 'NOT_FOUND'],
      ['POST', '/v1/sessions/nothing-there/messages', { text: 'hi' }, 404, 'NOT_FOUND'],
      ['POST', '/v1/sessions/nothing-there/commands', { type: 'interrupt' }, 404, 'NOT_FOUND'],
      ['POST', `/v1/sessions/${id}/messages`, { text: 'hi', id: 'no uuid' }, 400, 'INVALID_REQUEST'],
      ['POST', `/v1/sessions/${id}/commands`, { type: 'dance' }, 400, 'INVALID_REQUEST'],
      [
        'POST',
        `/v1/sessions/${id}/commands`,
        { type: 'set_model', model: 'nobody/nothing' },
        400,
        'INVALID_REQUEST',
      ],
      [
        'POST',
        `/v1/sessions/${id}/commands`,
        { type: 'set_thinking', level: 'hard' },
        400,
        'INVALID_REQUEST',
      ],
      [
        'POST',
        `/v1/sessions/${id}/commands`,
        { type: 'respond', response: { interaction_id: 'ui_abcdefghijkl', selected_option_id: 'allow' } },
        404,
        'NOT_FOUND',
      ],
      [
        'POST',
        `/v1/sessions/${id}/commands`,
        { type: 'take_back', message_id: 'b1946ac9-2e12-4b1e-8d3c-0123456789ab' },
        404,
        'NOT_FOUND',
      ],
      ['POST', `/v1/sessions/${id}/elves/e1/commands`, { type: 'interrupt' }, 404, 'NOT_FOUND'],
      ['GET', '/v1/agents/nothing-there', undefined, 404, 'NOT_FOUND'],
    ] as const
    for (const [method, path, body, status, code] of refusals) {
      const answer = await call(method, path, body)
      expect([path, body, answer.status, answer.json]).toEqual([
        path,
        body,
        status,
        {
          code,
          message: expect.any(String),
          ...((answer.json as { details?: object }).details && { details: expect.any(Object) }),
        },
      ])
    }
  })

  it('takes files without a text, under their names', async () => {
    const { world, call } = await serveHere()
    const file = (name: string, text: string) => ({ name, data: Buffer.from(text).toString('base64') })
    world.server.reply(say('A shelf.'))
    const files = [file('@shelf.md', 'the shelf is red'), file('list.txt', 'one')]
    const { id, opening } = (await call('POST', '/v1/sessions', { files })).json as Listed['sessions'][number]
    expect(opening).toBe('shelf.md, list.txt')
    await settled({ call }, id)
    world.server.reply(say('Two.'))
    const more = await call('POST', `/v1/sessions/${id}/messages`, { files: [file('more.txt', 'two')] })
    expect(more.status).toBe(201)
    await settled({ call }, id)
    const sent = world.server.requests.map(({ body }) => JSON.stringify(body['messages']))
    expect(sent).toEqual([
      expect.stringContaining('the shelf is red'),
      expect.stringMatching(/<file from=.*more\.txt.*two/),
    ])
    const empty = await call('POST', `/v1/sessions/${id}/messages`, { text: ' ', files: [] })
    expect([empty.status, empty.json]).toMatchObject([
      400,
      { message: 'text: is empty, and there are no files' },
    ])
  })

  it('serves no session of another folder', async () => {
    const { world, call } = await serveHere()
    world.server.reply(say('Done.'))
    await world.pipe(['hi'], { cwd: world.temp })
    const [foreign] = await world.sessions()
    expect((await call('GET', '/v1/sessions')).json).toEqual({ sessions: [] })
    for (const path of ['', '/events', '/elves'])
      expect((await call('GET', `/v1/sessions/${foreign?.id}${path}`)).status).toBe(404)
    expect((await call('POST', `/v1/sessions/${foreign?.id}/messages`, { text: 'hi' })).status).toBe(404)
    expect((await call('GET', `/v1/agents/${foreign?.id}`)).status).toBe(404)
  })

  it('continues a session of before, and leaves one to the process that has it open', async () => {
    const { world, call } = await serveHere()
    world.server.reply(say('Done.'))
    await world.pipe(['first'])
    const [session] = await world.sessions()
    const held = holding('Wai', 'ting')
    world.server.reply(held.reply)
    const other = world.start(['-r', session?.id ?? '', 'second'])
    await held.asked
    const path = `/v1/sessions/${session?.id}`
    const refused = await call('POST', `${path}/messages`, { text: 'third' })
    expect([refused.status, refused.json]).toEqual([
      409,
      expect.objectContaining({
        code: 'CONFLICT',
        details: expect.objectContaining({ pid: String(other.pid) }),
      }),
    ])
    expect(textsIn(await call('GET', path))).toEqual(['first', 'Done.', 'second'])
    held.answer()
    await other.ended
    world.server.reply(say('Welcome.'))
    expect((await call('POST', `${path}/messages`, { text: 'third' })).status).toBe(201)
  })

  it('lists pages of sessions, of one project or of all', async () => {
    const world = await openWorld()
    const { call } = await serveWorld(world, [world.cwd, world.temp])
    for (const [text, cwd] of [
      ['one', world.cwd],
      ['two', world.temp],
      ['three', world.cwd],
    ] as const) {
      world.server.reply(say('Done.'))
      await world.pipe([text], { cwd })
    }
    const list = async (query: string) => (await call('GET', `/v1/sessions${query}`)).json as Listed
    const all = await list('')
    expect(all.sessions.map(({ opening, project }) => [opening, project])).toEqual([
      ['three', 'project'],
      ['two', 'temp'],
      ['one', 'project'],
    ])
    const first = await list('?limit=2')
    expect(first).toEqual({ sessions: all.sessions.slice(0, 2), next: all.sessions[1]?.id })
    expect(await list(`?limit=2&before=${first.next}`)).toEqual({ sessions: all.sessions.slice(2) })
    expect((await list('?project=temp')).sessions).toEqual(all.sessions.slice(1, 2))
    expect((await list('?project=project&limit=1')).sessions).toEqual(all.sessions.slice(0, 1))
  })

  it('tells agents by their sessions, with counts that survive a restart', async () => {
    const world = await openWorld()
    world.server.reply(say('Hello.'))
    const first = await serveWorld(world)
    const { id } = (await first.call('POST', '/v1/sessions', { text: 'hi' })).json as { id: string }
    await settled(first, id)
    const [{ id: same, state, messages_processed: count, last_activity: at }] = (
      (await first.call('GET', '/v1/agents')).json as { agents: [Agent] }
    ).agents
    expect([same, state, count]).toEqual([id, 'idle', 2])
    first.program.kill('SIGTERM')
    await first.program.ended
    const second = await serveWorld(world)
    const told = { id, state: 'idle', messages_processed: 2, last_activity: at }
    expect((await second.call('GET', `/v1/agents/${id}`)).json).toEqual(told)
    expect((await second.call('GET', '/v1/agents')).json).toEqual({ agents: [told] })
  })

  it('changes the model, how much it thinks and the mode, and compacts', async () => {
    const { world, call, events } = await serveHere()
    world.server.reply(say(long(8_000, 'a')))
    const { id } = (await call('POST', '/v1/sessions', { text: 'one' })).json as { id: string }
    await settled({ call }, id)
    const watching = await watch({ events }, `/v1/sessions/${id}/events`)
    const command = (body: object) => call('POST', `/v1/sessions/${id}/commands`, body)
    expect((await command({ type: 'set_model', model: 'fake/model-2' })).json).toEqual({})
    expect((await command({ type: 'set_thinking', level: 'high' })).json).toEqual({})
    expect((await watching.until(({ json }) => json.thinking === 'high')).json.type).toBe('settings')
    expect((await command({ type: 'set_mode', mode: 'accept-edits' })).status).toBe(200)
    expect((await call('GET', `/v1/sessions/${id}`)).json).toMatchObject({
      model: 'fake/model-2',
      thinking: 'high',
      mode: 'accept-edits',
    })
    for (const text of ['two', 'three']) {
      world.server.reply(say(long(8_000, 'b')))
      await call('POST', `/v1/sessions/${id}/messages`, { text })
      await settled({ call }, id)
    }
    world.server.reply(say('A summary.'))
    expect((await command({ type: 'compact', keep: 'the greeting' })).json).toEqual({})
    expect((await watching.untilType('compaction')).json).toMatchObject({
      trigger: 'manual',
      summary: expect.stringContaining('A summary.'),
    })
    expect(world.server.requests.at(-2)?.body['reasoning_effort']).toBe('high')
    const { model, messages } = world.server.requests.at(-1)?.body ?? {}
    expect([model, JSON.stringify(messages)]).toEqual(['model-2', expect.stringContaining('the greeting')])
  })
})

interface Listed {
  readonly sessions: readonly { readonly id: string; readonly opening: string; readonly project: string }[]
  readonly next?: string
}

interface Agent {
  readonly id: string
  readonly state: string
  readonly messages_processed: number
  readonly last_activity: string
}

function textsIn({ json }: { readonly json: unknown }): readonly string[] {
  const { snapshot } = json as { snapshot: { messages: { content: { text: string }[] }[] } }
  return snapshot.messages.map(({ content }) => content.at(-1)?.text ?? '')
}
