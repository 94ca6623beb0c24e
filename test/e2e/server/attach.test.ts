import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { serveWorld } from '../../support/live/served.ts'
import { say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { readLines } from '../../support/programs/stream-lines.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { openScreen, type ScreenRun } from '../../support/terminals/screen.ts'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'

const size = { columns: 90, rows: 30 }

/** Serves the project of a new world, with a session in which nothing was said. */
async function serve(args: readonly string[] = []) {
  const world = await openWorld()
  const served = await serveWorld(world, args)
  const { json } = await served.call('POST', '/v1/sessions')
  const id = idOf(json)
  const post = (text: string, path = 'messages') =>
    served.call('POST', `/v1/sessions/${id}/${path}`, { text })
  return { ...served, world, id, post, address: `${served.url}/sessions/${id}#token=${served.token}` }
}

function idOf(json: unknown): string {
  if (typeof json === 'object' && json !== null && 'id' in json && typeof json.id === 'string') return json.id
  throw new Error('no session was begun')
}

/** Attaches on a terminal. */
async function attach(world: World, address: string): Promise<ScreenRun> {
  const screen = openScreen(world, `exec pipe attach '${address}'`, size)
  await screen.until(/^›/m)
  return screen
}

/** Begins a turn in which a command waits at a gate. Returns a function that opens it. */
async function beginAtGate({ world, post }: Awaited<ReturnType<typeof serve>>) {
  await world.shell('mkfifo gate')
  world.server.reply(use(['bash', { command: 'cat gate' }]), say('The gate is open.'))
  await post('open the gate')
  return () => world.shell('echo through > gate')
}

describe('pipe attach', () => {
  it('shows a turn that begins elsewhere, and sends what is typed', async () => {
    const { world, address, post, call, id } = await serve()
    const screen = await attach(world, address)
    world.server.reply(say('Hello, phone.'), say('Hello, terminal.'))
    await post('I am the phone')
    await screen.until(/▌ I am the phone\n\n {2}Hello, phone\.\n/)
    screen.type('I am the terminal\r')
    await screen.until(/▌ I am the terminal\n\n {2}Hello, terminal\.\n/)
    await expect
      .poll(async () => (await call('GET', `/v1/sessions/${id}`)).json)
      .toMatchObject({ is_running: false, snapshot: { messages: { length: 4 } } })
    screen.type('/status\r')
    await screen.until(
      new RegExp(`session +${id}\\n +runs at +\\S+\\n +model +fake/model-1\\n +mode +ask\\n`),
    )
    expect(screen.text()).not.toContain('/config')
  })

  it('shows what was said before', async () => {
    const { world, address, post } = await serve()
    world.server.reply(say('Hello, phone.'))
    await post('I am the phone')
    await expect.poll(() => world.sessions()).toMatchObject([{ messages: { length: 2 } }])
    const screen = await attach(world, address)
    await screen.until(/▌ I am the phone\n\n {2}Hello, phone\.\n/)
  })

  it('steers the running turn, and leaves it as it is', async () => {
    const served = await serve(['--permission-mode', 'bypass'])
    const { world, address, id, call } = served
    const screen = await attach(world, address)
    const open = await beginAtGate(served)
    await screen.until(/[⠀-⣿] bash[\s\S]*Esc stops/)
    screen.type('be quick\r')
    await screen.until(/↳ next: be quick/)
    screen.type('\u0003')
    await screen.until(/press Ctrl\+C again to leave; the session keeps running/)
    screen.type('\u0003')
    expect(await screen.ended).toBe(0)
    expect(screen.text()).toContain(
      `detached; the session continues on the server. Attach again with: pipe attach`,
    )
    await open()
    const row = async () => (await call('GET', `/v1/sessions/${id}`)).json
    await expect.poll(row).toMatchObject({ is_running: false, snapshot: { messages: { length: 5 } } })
  })

  it('stops the turn with Esc, for everyone', async () => {
    const served = await serve(['--permission-mode', 'bypass'])
    const { world, address } = served
    const [one, other] = await Promise.all([attach(world, address), attach(world, address)])
    await beginAtGate(served)
    await Promise.all([one.until(/[⠀-⣿] bash/), other.until(/[⠀-⣿] bash/)])
    one.type('\u001b')
    for (const screen of [one, other]) await screen.until(/interrupted after[^\n]*\n[\s\S]*^›/m)
    expect(other.text()).not.toContain('Esc stops')
  })

  it('answers a question, which then is gone from the other terminal', async () => {
    const { world, address, post } = await serve()
    const [one, other] = await Promise.all([attach(world, address), attach(world, address)])
    world.server.reply(use(['bash', { command: 'touch made' }]), say('Made.'))
    await post('make it')
    await Promise.all([one.until(/❯ y/), other.until(/❯ y/)])
    one.type('\u001b[B\u001b[A\r')
    for (const screen of [one, other]) await screen.until(/● bash +touch made.*\n\n {2}Made\.\n/)
    expect(other.text()).not.toContain('y  yes, once')
  })

  it('takes commands and skills of the server by their names, and refuses others', async () => {
    const { world, address } = await serve()
    await mkdir(join(world.home, 'commands'))
    await mkdir(join(world.home, 'skills/mend'), { recursive: true })
    await writeFile(join(world.home, 'commands/fix.md'), 'Fix $1 for good.')
    const skill = '---\nname: mend\ndescription: mends\n---\nMend with care.'
    await writeFile(join(world.home, 'skills/mend/SKILL.md'), skill)
    const screen = await attach(world, address)
    world.server.reply(say('It is fixed.'), say('It is mended.'))
    screen.type('/fix login\r')
    await screen.until(/It is fixed\.[\s\S]*›/)
    screen.type('/mend it\r')
    await screen.until(/It is mended\.[\s\S]*›/)
    const sent = world.server.requests.map(({ body }) => JSON.stringify(body.messages))
    expect(sent[0]).toContain('Fix login for good.')
    expect(sent[1]).toContain('Mend with care.')
    screen.type('/fxi login\r')
    await screen.until(/unknown command \/fxi: did you mean \/fix\?/)
    // It stands in the prompt again, to be mended.
    screen.type('\u0003')
    screen.type('/modle\r')
    await screen.until(/unknown command \/modle: did you mean \/model\?/)
    screen.type('\u0003')
    screen.type('/plugins\r')
    await screen.until(/unknown command \/plugins: run pipe plugin in a shell/)
    expect(world.server.requests).toHaveLength(2)
  })

  slowIt('goes on with a server that was started again', async () => {
    const { world, address, post, program, url, token } = await serve()
    const screen = await attach(world, address)
    world.server.reply(say('Before.'), say('After.'))
    await post('one')
    await screen.until(/Before\./)
    program.kill('SIGTERM')
    await program.ended
    await screen.until(/is lost; connecting again/)
    const again = world.start(['serve', '--json', '--listen', new URL(url).host])
    await again.until(/\n/)
    await screen.until(/ask[^\n]*$/)
    await expect.poll(() => screen.text()).not.toContain('is lost')
    screen.type('two\r')
    await screen.until(/▌ two\n\n {2}After\.\n/)
    expect(screen.history().match(/Before\./g)).toHaveLength(1)
    expect(JSON.parse(again.stdout)).toEqual({ url, token })
  })

  it('changes the mode and the thinking, and switches to a new session', async () => {
    const { world, address, id, call } = await serve()
    const screen = await attach(world, address)
    screen.type('/mode plan\r')
    await screen.until(/plan · model-1/)
    await expect
      .poll(async () => (await call('GET', `/v1/sessions/${id}`)).json)
      .toMatchObject({ mode: 'plan' })
    screen.type('/thinking high\r')
    await screen.until(/plan · model-1 high/)
    await expect
      .poll(async () => (await call('GET', `/v1/sessions/${id}`)).json)
      .toMatchObject({ thinking: 'high' })
    screen.type('/clear\r')
    await screen.until(/a new conversation/)
    world.server.reply(say('I am new.'))
    screen.type('hi\r')
    await screen.until(/▌ hi\n\n {2}I am new\.\n/)
    const { json } = await call('GET', '/v1/sessions')
    expect(json).toMatchObject({ sessions: { length: 2 } })
  })

  slowIt('shows the mode that was set elsewhere', async () => {
    const { world, address } = await serve()
    const screen = await attach(world, address)
    await screen.until(/ask · model-1/)
    const other = await attach(world, address)
    other.type('/mode plan\r')
    for (const one of [other, screen]) await one.until(/plan · model-1/)
  })

  it('offers the models that the server can use', async () => {
    const world = await openWorld()
    const fake = { dialect: 'openai-chat', base_url: world.server.baseUrl, api_key_env: 'FAKE_KEY' }
    await world.configure({
      model: 'fake/model-1',
      providers: { fake: { ...fake, models: ['model-1', 'model-2'] } },
      models: { 'fake/model-2': { context_window: 32_000 } },
    })
    const server = world.start(['serve', '--json'], { env: { FAKE_KEY: 'key' } })
    await server.until(/\n/)
    const { url, token } = JSON.parse(server.stdout)
    const screen = openScreen(world, `exec pipe attach '${url}/#token=${token}' --new`, size)
    await screen.until(/^›/m)
    screen.type('/model\r')
    await screen.until(/Which model\?[\s\S]*❯ +model-1 ✓[\s\S]*model-2 +32k/)
    screen.type('\u001b[B')
    await screen.until(/❯ +model-2/)
    screen.type('\r')
    await screen.until(/model: fake\/model-2/)
    world.server.reply(say('I am the second one.'))
    screen.type('hi\r')
    await screen.until(/▌ hi\n\n {2}I am the second one\.\n/)
    expect(world.server.requests.at(-1)?.body['model']).toBe('model-2')
  })

  it('begins a session with --new, and lets one be chosen without', async () => {
    const { world, url, token, post } = await serve()
    world.server.reply(say('Hello, phone.'), say('I am new.'))
    await post('I am the phone')
    const chosen = openScreen(world, `exec pipe attach '${url}/#token=${token}'`, size)
    await chosen.until(/Continue which conversation\?[\s\S]*I am the phone/)
    chosen.type('\r')
    await chosen.until(/▌ I am the phone\n\n {2}Hello, phone\.\n/)
    const begun = openScreen(world, `exec pipe attach '${url}/#token=${token}' --new`, size)
    await begun.until(/^›/m)
    begun.type('hi\r')
    await begun.until(/▌ hi\n\n {2}I am new\.\n/)
  })
})

quickDescribe('pipe attach ID', () => {
  it('finds the server that has the session, by the beginning of its id', async () => {
    const { world, id, post } = await serve()
    const screen = await attach(world, id.slice(0, -4))
    world.server.reply(say('Hello, phone.'))
    await post('I am the phone')
    await screen.until(/▌ I am the phone\n\n {2}Hello, phone\.\n/)
    screen.type('/quit\r')
    expect(await screen.ended).toBe(0)
    expect(screen.text().replaceAll('\n', '')).toContain(`Attach again with: pipe attach ${id}`)
  })

  it('finds a server that listens on a socket', async () => {
    const world = await openWorld()
    const server = world.start(['serve', '--listen', 'unix:pipe.sock'])
    await server.until(/\n/)
    world.server.reply(say('Hello, socket.'))
    const screen = openScreen(world, 'exec pipe attach --new', size)
    await screen.until(/^›/m)
    screen.type('hi\r')
    await screen.until(/▌ hi\n\n {2}Hello, socket\.\n/)
    expect(screen.text()).toMatch(/at \S*pipe\.sock/)
  })
})

quickDescribe('pipe attach without a screen', () => {
  it('prints the events of a session until it is ended', async () => {
    const { world, address, post } = await serve()
    const lines = world.start(['attach', address, '-o', 'stream-json'])
    await lines.until(/"type":"snapshot"/)
    world.server.reply(say('Hello, phone.'))
    await post('I am the phone')
    await lines.until(/"type":"settled"/)
    lines.kill('SIGINT')
    const run = await lines.ended
    const types = readLines(run.stdout).map(({ type }) => type)
    expect(run.code).toBe(130)
    expect([types[0], types.includes('text_delta'), types.slice(-3)]).toEqual([
      'snapshot',
      true,
      ['turn_end', 'ended', 'settled'],
    ])
  })

  it('says that it needs one', async () => {
    const { world, address } = await serve()
    expectRun(await world.pipe(['attach', address]), {
      code: 2,
      stdout: '',
      stderr: complaint('pipe attach needs a terminal'),
    })
  })
})

quickDescribe('what cannot be attached to', () => {
  const lines = ['-o', 'stream-json']

  it.each([
    ['a wrong token', '#token=wrong', 41, 'does not accept this token'],
    ['no token', '', 41, 'needs a token'],
  ])('is reported: %s', async (_, end, code, words) => {
    const { world, url } = await serve()
    // Another user's: the record of the server is elsewhere.
    const run = await world.pipe(['attach', `${url}/sessions/abc${end}`, ...lines], {
      env: { PIPE_HOME: world.temp },
    })
    expectRun(run, { code, stdout: '', stderr: complaint(words) })
  })

  it('is reported: a session that the server does not have', async () => {
    const { world, url, token } = await serve()
    const id = '0190a1b2-0000-7000-8000-000000000000'
    expectRun(await world.pipe(['attach', `${url}/sessions/${id}#token=${token}`, ...lines]), {
      code: 52,
      stdout: '',
      stderr: complaint(`there is no session ${id}`),
    })
  })

  it('is reported: no server at all', async () => {
    const world = await openWorld()
    expectRun(await world.pipe(['attach', ...lines]), {
      code: 52,
      stdout: '',
      stderr: complaint('none of your servers is running on this machine'),
    })
  })
})
