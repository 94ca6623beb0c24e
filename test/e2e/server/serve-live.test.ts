import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { type Served, serveWorld } from '../../support/live/served.ts'
import { holding, settled, type WatchedLine, type Watching, watch } from '../../support/live/watching.ts'
import { say, use } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'

const bash = (command: string) => use(['bash', { command }])

async function serveHere(args: readonly string[] = []) {
  const world = await openWorld()
  return { world, ...(await serveWorld(world, args)) }
}

async function begin({ call }: Pick<Served, 'call'>, body: object = {}): Promise<string> {
  const { json } = await call('POST', '/v1/sessions', body)
  return (json as { readonly id: string }).id
}

/** Watches the changes of lists. They are being sent when this resolves. */
async function watchLists(served: Served): Promise<Watching> {
  const lists = await watch(served, '/v1/events')
  let isTold = false
  const told = lists.untilType('session').then(() => {
    isTold = true
  })
  while (!isTold) await begin(served)
  await told
  return lists
}

function typesOf(lines: readonly WatchedLine[]): readonly string[] {
  return lines.map(({ json }) => json.type)
}

describe('watching a session', () => {
  it('sends all who watch the same lines, and those who return the rest of them', async () => {
    const { world, ...served } = await serveHere()
    const id = await begin(served)
    const path = `/v1/sessions/${id}/events`
    const [one, two] = [await watch(served, path), await watch(served, path)]
    const held = holding('Wai', 'ting is over.')
    world.server.reply(held.reply)
    await served.call('POST', `/v1/sessions/${id}/messages`, { text: 'hi' })
    await one.untilType('text_delta')
    await two.untilType('round_start')
    await two.close()
    held.answer()
    await one.untilType('turn_end')
    const back = await watch(served, path, two.lines.at(-1)?.id)
    await back.untilType('turn_end')
    const news = ['queue', 'settings']
    const told = (lines: readonly WatchedLine[]) => lines.filter(({ json }) => !news.includes(json.type))
    expect([...told(two.lines), ...told(back.lines)]).toEqual(told(one.lines))
    const asked = await watch(served, `${path}?after=${two.lines.at(-1)?.id}`)
    await asked.untilType('turn_end')
    expect(asked.lines).toEqual(back.lines)
  })

  it('tells why a turn failed', async () => {
    const { world, ...served } = await serveHere()
    const id = await begin(served)
    const watching = await watch(served, `/v1/sessions/${id}/events`)
    world.server.reply(async (_, response) => {
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end('{"error":{"message":"no such key"}}')
    })
    await served.call('POST', `/v1/sessions/${id}/messages`, { text: 'hi' })
    const { json } = await watching.untilType('failed')
    expect(json).toEqual({
      type: 'failed',
      code: 'auth',
      message: expect.stringContaining('no such key'),
    })
    expect(typesOf(watching.lines)).toContain('turn_end')
  })

  slowIt('begins with a snapshot where a position is unknown, also after a restart', async () => {
    const { world, program, ...served } = await serveHere()
    world.server.reply(say('Hello.'))
    const id = await begin(served, { text: 'hi' })
    const { position } = await settled(served, id)
    const path = `/v1/sessions/${id}/events`
    const lost = await watch(served, path, 'gone-7')
    expect((await lost.untilType('snapshot')).json.messages.length).toBe(2)
    program.kill('SIGTERM')
    await program.ended
    const again = await serveWorld(world)
    const watching = await watch(again, path, position)
    const { json } = await watching.untilType('snapshot')
    expect([json.state, json.messages.length, json.position]).toEqual(['idle', 2, 'stored-0'])
    expect((await again.call('GET', '/v1/sessions')).json).toMatchObject({
      sessions: [{ id, is_open: false }],
    })
    world.server.reply(say('Welcome back.'))
    await again.call('POST', `/v1/sessions/${id}/messages`, { text: 'more' })
    await watching.untilType('turn_end')
    const spoken = watching.lines.flatMap(({ json }) =>
      json.type === 'message' ? [json.message.content] : [],
    )
    expect(spoken).toEqual([[{ type: 'text', text: 'Welcome back.' }]])
  })

  it('keeps each event in one line, whatever a text holds', async () => {
    const { world, ...served } = await serveHere()
    const evil = 'a\n\ndata: {"type":"turn_end"}\n\nid: 7\r\nevent: x\u2028b\u0000'
    world.server.reply(say(evil))
    const id = await begin(served)
    const watching = await watch(served, `/v1/sessions/${id}/events`)
    await served.call('POST', `/v1/sessions/${id}/messages`, { text: evil })
    await watching.untilType('turn_end')
    const deltas = watching.lines.flatMap(({ json }) => (json.type === 'text_delta' ? [json.delta] : []))
    expect(deltas.join('')).toBe(evil)
    expect(typesOf(watching.lines).filter((type) => type === 'turn_end')).toEqual(['turn_end'])
    expect(
      watching.lines.find(({ json }) => json.type === 'turn_start')?.json.message.content.at(-1),
    ).toEqual({
      type: 'text',
      text: evil,
    })
  })

  it('tells lists which sessions change', async () => {
    const { world, ...served } = await serveHere()
    const lists = await watchLists(served)
    world.server.reply(say('Hello.'))
    const id = await begin(served, { text: 'hi' })
    const line = await lists.until(({ json }) => json.session?.is_running === true)
    expect(line.json.session).toMatchObject({ id, is_open: true })
    const idle = await lists.until(
      ({ json }) => json.session?.is_running === false && json.session.opening === 'hi',
    )
    expect(idle.json.session).toMatchObject({ id, title: 'hi', state: 'idle', questions: 0 })
  })
})

describe('the mode and the model of a session', () => {
  it('are told to all who watch, and to lists, when a client sets them', async () => {
    const served = await serveHere()
    const id = await begin(served)
    const lists = await watchLists(served)
    const watching = await watch(served, `/v1/sessions/${id}/events`)
    const { json } = await watching.untilType('settings')
    expect([json.model, json.mode]).toEqual(['fake/model-1', 'default'])
    const set = (body: object) => served.call('POST', `/v1/sessions/${id}/commands`, body)
    await set({ type: 'set_mode', mode: 'plan' })
    await set({ type: 'set_model', model: 'fake/model-2' })
    const plans = await watching.until(({ json }) => json.mode === 'plan')
    await watching.until(({ json }) => json.type === 'settings' && json.model === 'fake/model-2')
    await lists.until(({ json }) => json.session?.mode === 'plan' && json.session.model === 'fake/model-2')
    expect(plans.id).toBeDefined()
  })

  slowIt('are told when the session is opened, and to those who return', async () => {
    const { world, program, ...served } = await serveHere()
    world.server.reply(say('Hello.'))
    const id = await begin(served, { text: 'hi' })
    await settled(served, id)
    program.kill('SIGTERM')
    await program.ended
    const again = await serveWorld(world)
    const watching = await watch(again, `/v1/sessions/${id}/events`)
    await watching.untilType('snapshot')
    expect(typesOf(watching.lines)).not.toContain('settings')
    await again.call('POST', `/v1/sessions/${id}/commands`, { type: 'set_mode', mode: 'plan' })
    await watching.until(({ json }) => json.type === 'settings' && json.mode === 'plan')
    const { id: position = '' } = watching.lines.findLast((line) => line.id !== undefined) ?? {}
    await watching.close()
    await again.call('POST', `/v1/sessions/${id}/commands`, { type: 'set_mode', mode: 'default' })
    const back = await watch(again, `/v1/sessions/${id}/events`, position)
    await back.until(({ json }) => json.type === 'settings' && json.mode === 'default')
    expect(typesOf(back.lines)).not.toContain('snapshot')
  })
})

describe('a question of a session', () => {
  it('is asked of all who watch, and answered once', async () => {
    const { world, ...served } = await serveHere()
    const id = await begin(served)
    const path = `/v1/sessions/${id}`
    const [one, two] = [await watch(served, `${path}/events`), await watch(served, `${path}/events`)]
    world.server.reply(bash('touch made'), say('Done.'))
    await served.call('POST', `${path}/messages`, { text: 'make it' })
    const { interaction } = (await one.untilType('interaction_requested')).json
    expect((await two.untilType('interaction_requested')).json.interaction).toEqual(interaction)
    expect((await served.call('GET', path)).json).toMatchObject({
      questions: 1,
      is_running: true,
      snapshot: { questions: [interaction] },
    })
    const answer = (selected: string) =>
      served.call('POST', `${path}/commands`, {
        type: 'respond',
        response: { interaction_id: interaction.id, selected_option_id: selected },
      })
    const wrong = await answer('whatever')
    expect([wrong.status, wrong.json]).toEqual([400, expect.objectContaining({ code: 'INVALID_REQUEST' })])
    const answers = await Promise.all([answer('allow'), answer('allow')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const { response } = (await two.untilType('interaction_responded')).json
    expect(response).toEqual({
      interaction_id: interaction.id,
      answered_by: 'user_local',
      selected_option_id: 'allow',
    })
    await two.untilType('turn_end')
    expect((await answer('allow')).status).toBe(409)
    expect(world.server.requests.length).toBe(2)
  })

  slowIt('waits for the next run of the server, which asks it again once somebody answers', async () => {
    const { world, program, ...served } = await serveHere()
    const id = await begin(served)
    const path = `/v1/sessions/${id}`
    const watching = await watch(served, `${path}/events`)
    world.server.reply(bash('touch made'))
    await served.call('POST', `${path}/messages`, { text: 'make it' })
    const { interaction } = (await watching.untilType('interaction_requested')).json
    program.kill('SIGTERM')
    expect((await program.ended).signal ?? 'SIGTERM').toBe('SIGTERM')
    const again = await serveWorld(world)
    expect((await again.call('GET', path)).json).toMatchObject({
      questions: 1,
      is_open: false,
      snapshot: { questions: [interaction] },
    })
    const other = await watch(again, `${path}/events`)
    world.server.reply(say('Done.'))
    const respond = (type: string) =>
      again.call('POST', `${path}/commands`, {
        type: 'respond',
        response: { interaction_id: type, selected_option_id: 'allow' },
      })
    expect((await respond(interaction.id)).status).toBe(200)
    await other.untilType('turn_end')
    expect(
      other.lines.filter(({ json }) => json.type === 'tool_end').map(({ json }) => json.is_error),
    ).toEqual([false])
    expect((await respond('ui_abcdefghijkl')).status).toBe(404)
  })

  it.each([
    ['deny', 'end_turn'],
    ['stop', 'aborted'],
  ])('that nobody watches is settled by --on-ask %s', async (onAsk, reason) => {
    const { world, ...served } = await serveHere(['--on-ask', onAsk])
    const lists = await watchLists(served)
    world.server.reply(bash('touch made'), ...(onAsk === 'deny' ? [say('I could not.')] : []))
    const id = await begin(served, { text: 'make it' })
    await lists.until(({ json }) => json.session?.is_running === false && json.session.opening === 'make it')
    const { json } = await served.call('GET', `/v1/sessions/${id}`)
    const { messages, questions } = (
      json as {
        snapshot: {
          messages: { type: string; content: { text: string }[]; is_error?: boolean; stop_reason?: string }[]
          questions: unknown[]
        }
      }
    ).snapshot
    expect([questions, messages.find(({ type }) => type === 'tool_result')?.is_error]).toEqual([[], true])
    expect(messages.at(-1)?.stop_reason).toBe(onAsk === 'deny' ? reason : undefined)
  })
})

quickDescribe('messages for a running turn', () => {
  async function serveHeld() {
    const { world, ...served } = await serveHere()
    const id = await begin(served)
    const path = `/v1/sessions/${id}`
    const watching = await watch(served, `${path}/events`)
    const held = holding('Wai', 'ting is over.')
    world.server.reply(held.reply)
    await served.call('POST', `${path}/messages`, { text: 'first' })
    await held.asked
    const send = (body: object) => served.call('POST', `${path}/messages`, body)
    const command = (body: object) => served.call('POST', `${path}/commands`, body)
    return { world, served, path, watching, held, send, command }
  }

  it('steer it, follow it, or are taken back', async () => {
    const { world, served, path, watching, held, send, command } = await serveHeld()
    const steered = await send({ text: 'steer' })
    expect([steered.status, steered.json]).toEqual([
      202,
      { message_id: expect.any(String), status: 'steering' },
    ])
    const queued = await send({ text: 'later', when: 'after' })
    expect([queued.status, queued.json]).toEqual([202, { message_id: expect.any(String), status: 'queued' }])
    const followUp = (await command({ type: 'follow_up', text: 'never' })).json as { message_id: string }
    const alsoSteer = (await command({ type: 'steer', text: 'never' })).json as { message_id: string }
    const waiting = [
      { id: (steered.json as { message_id: string }).message_id, text: 'steer', kind: 'steer' },
      { id: (queued.json as { message_id: string }).message_id, text: 'later', kind: 'follow_up' },
    ]
    const all = await watching.until(({ json }) => json.type === 'queue' && json.queue.length === 4)
    expect(all.json.queue).toMatchObject([...waiting, { kind: 'follow_up' }, { kind: 'steer' }])
    for (const { message_id } of [followUp, alsoSteer])
      expect((await command({ type: 'take_back', message_id })).status).toBe(200)
    expect((await command({ type: 'take_back', message_id: alsoSteer.message_id })).status).toBe(404)
    await watching.until(({ json }) => json.type === 'queue' && json.queue.length === 2)
    expect((await served.call('GET', path)).json).toMatchObject({ snapshot: { queue: waiting } })
    world.server.reply(say('Steered.'), say('Followed.'))
    held.answer()
    await watching.until(({ json }) => json.message?.content?.at(-1)?.text === 'Followed.')
    const [session] = await world.sessions()
    const texts = session?.messages.map(({ content }) => content.at(-1)?.['text'])
    expect(texts).toEqual(['first', 'Waiting is over.', 'steer', 'Steered.', 'later', 'Followed.'])
  })

  it('are delivered once, however often one is sent', async () => {
    const { world, watching, held, send } = await serveHeld()
    const id = 'b1946ac9-2e12-4b1e-8d3c-0123456789ab'
    const all = await Promise.all([1, 2, 3].map(() => send({ text: 'steer', id })))
    expect(all.map(({ json }) => json)).toEqual(Array(3).fill({ message_id: id, status: 'steering' }))
    world.server.reply(say('Steered.'))
    held.answer()
    await watching.until(({ json }) => json.message?.content?.at(-1)?.text === 'Steered.')
    expect((await send({ text: 'steer', id })).json).toEqual({ message_id: id, status: 'steering' })
    expect(world.server.requests.length).toBe(2)
    expect((await world.sessions())[0]?.messages.filter((message) => message.id === id).length).toBe(1)
  })

  it('wait after an interruption, until the next turn has ended', async () => {
    const { world, watching, send, command } = await serveHeld()
    await send({ text: 'later', when: 'after' })
    expect((await command({ type: 'interrupt' })).json).toEqual({})
    expect((await watching.untilType('turn_end')).json.stop_reason).toBe('aborted')
    expect(world.server.requests.length).toBe(1)
    world.server.reply(say('Second.'), say('Later.'))
    expect((await send({ text: 'second' })).status).toBe(201)
    await watching.until(({ json }) => json.message?.content?.at(-1)?.text === 'Later.')
  })
})

describe('a message that was acknowledged', () => {
  it('survives kill -9: in the session, or to be delivered when it is opened', async () => {
    const { world, program, ...served } = await serveHere()
    const held = holding('Wai', '')
    world.server.reply(held.reply)
    const id = await begin(served, { text: 'first' })
    await held.asked
    const send = (from: Pick<Served, 'call'>, body: object) =>
      from.call('POST', `/v1/sessions/${id}/messages`, body)
    const steer = (await send(served, { text: 'steer' })).json as { message_id: string }
    const later = (await send(served, { text: 'later', when: 'after' })).json as { message_id: string }
    program.kill('SIGKILL')
    await program.ended
    const again = await serveWorld(world)
    const watching = await watch(again, `/v1/sessions/${id}/events`)
    const { json } = await watching.untilType('snapshot')
    expect(json.queue).toEqual([
      { id: steer.message_id, text: 'steer', kind: 'steer' },
      { id: later.message_id, text: 'later', kind: 'follow_up' },
    ])
    expect(json.messages.map(({ content }: { content: { text: string }[] }) => content.at(-1)?.text)).toEqual(
      ['first'],
    )
    world.server.reply(say('Steered.'), say('Followed.'), say('Third.'))
    expect((await send(again, { text: 'third', when: 'after' })).json).toMatchObject({ status: 'queued' })
    await watching.until(({ json }) => json.message?.content?.at(-1)?.text === 'Third.')
    const same = await send(again, { text: 'steer', id: steer.message_id })
    expect([same.status, same.json]).toEqual([201, { message_id: steer.message_id, status: 'started' }])
    const [session] = await world.sessions()
    const texts = session?.messages.map(({ content }) => content.at(-1)?.['text'])
    expect(texts).toEqual(['first', 'steer', 'Steered.', 'later', 'Followed.', 'third', 'Third.'])
  })

  slowIt('waits without its secrets where sessions are kept without them', async () => {
    const world = await openWorld()
    const settings: object = JSON.parse(await readFile(join(world.home, 'config.json'), 'utf8'))
    await world.configure({ ...settings, redact_sessions: true })
    const served = await serveWorld(world)
    const held = holding('Wai', 'ting is over.')
    world.server.reply(held.reply)
    const id = await begin(served, { text: 'first' })
    await held.asked
    await served.call('POST', `/v1/sessions/${id}/messages`, { text: 'password=hunter2', when: 'after' })
    const kept = await readFile(join(world.home, 'sessions', `${id}.queue`), 'utf8')
    expect(kept).toContain('password=[redacted]')
    expect(kept).not.toContain('hunter2')
  })
})
