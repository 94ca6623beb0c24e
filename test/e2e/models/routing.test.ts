import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { png } from '../../support/messages/media.ts'
import { type FakeServer, startFakeOllama, startFakeServer } from '../../support/models/fake-server.ts'
import { lastText, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { listen } from '../../support/servers/listen.ts'
import { openPrompt } from '../../support/terminals/screen.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'

const overloaded = {
  status: 529,
  headers: { 'x-should-retry': 'false' },
  body: '{"error":{"message":"Overloaded"}}',
}

/** A world with a second server and these settings. */
async function openTwo(settings: object): Promise<World & { readonly other: FakeServer }> {
  const world = await openWorld()
  const other = await startFakeServer()
  onTestFinished(() => other.close())
  await world.configure({
    model: 'fake/model-1',
    providers: { fake: { base_url: world.server.baseUrl }, spare: { base_url: other.baseUrl } },
    ...settings,
  })
  return { ...world, other }
}

describe('a route for a purpose', () => {
  it.each(['writer', 'reasoning'])('is a model of its own: %s', async (route) => {
    const { pipe, server } = await openTwo({ routes: { [route]: 'fake/special' } })
    server.reply(say('Well.'))
    expectRun(await pipe(['-m', route, 'hi']), { stdout: 'Well.\n' })
    expect(server.requests.map(({ body }) => body.model)).toEqual(['special'])
  })

  it.each(['writer', 'reasoning'])('must be set: %s', async (route) => {
    const { pipe } = await openTwo({})
    expectRun(await pipe(['-m', route, 'hi']), {
      code: 52,
      stdout: '',
      stderr: complaint(`the route ${route} names no model: set routes.${route} in your settings`),
    })
  })
})

describe("a script's word for a size of model, with --protocol claude,", () => {
  it.each([
    ['haiku', 'quick', ''],
    ['sonnet[1m]', 'usual', ''],
    ['default', 'usual', ''],
    ['opus', 'usual', 'pipe: opus: your settings have no route strong, so the usual model answers\n'],
  ])('is its route, or else the usual model: %s', async (word, model, stderr) => {
    const { pipe, server, configure } = await openWorld()
    const providers = { fake: { base_url: server.baseUrl } }
    await configure({ providers, routes: { fast: 'fake/quick', default: 'fake/usual' } })
    server.reply(say('Well.'))
    const flags = ['--protocol', 'claude', '--model', word]
    expectRun(await pipe([...flags, '-p', 'hi']), { stdout: 'Well.\n', stderr })
    expect(server.requests.map(({ body }) => body.model)).toEqual([model])
  })

  it.each([
    ['haiku', 'quick'],
    ['anthropic/x,haiku', 'quick'],
  ])('may name a fallback: %s', async (words, model) => {
    const { pipe, server, other } = await openTwo({ routes: { fast: 'spare/quick' } })
    server.reply(overloaded)
    other.reply(say('Well.'))
    const run = await pipe(['--protocol', 'claude', '--fallback-model', words, '-p', 'hi'])
    expect([run.code, run.stdout]).toEqual([0, 'Well.\n'])
    expect(other.requests.map(({ body }) => body.model)).toEqual([model])
  })

  it('is a route of that name first', async () => {
    const { pipe, server } = await openTwo({ routes: { opus: 'fake/special' } })
    server.reply(say('Well.'))
    expectRun(await pipe(['--protocol', 'claude', '--model', 'opus', '-p', 'hi']), { stdout: 'Well.\n' })
    expect(server.requests.map(({ body }) => body.model)).toEqual(['special'])
  })
})

describe('an overloaded model', () => {
  it('is replaced by the next fallback for the rest of the turn', async () => {
    const { pipe, put, server, other, sessions } = await openTwo({ fallback: ['spare/m'] })
    await put('a.txt', 'forty-two\n')
    server.reply(overloaded)
    other.reply(use(['read', { path: 'a.txt' }]), say('It says forty-two.'))
    expectRun(await pipe(['-v', 'what is in a.txt?']), {
      stdout: 'It says forty-two.\n',
      stderr: expect.stringMatching(
        /^pipe: fake failed \(529\): Overloaded; spare\/m continues for fake\/model-1\n/,
      ),
    })
    const [session] = await sessions()
    const notes = session?.messages.flatMap(({ type, metadata }) => (type === 'assistant' ? [metadata] : []))
    const note = { cost_usd: '0', fallback_from: 'fake/model-1: fake failed (529): Overloaded' }
    expect(notes).toEqual([note, note])
  })

  it('is tried again in the next turn', async () => {
    const { pipe, server, other } = await openTwo({ fallback: ['spare/m'] })
    server.reply(overloaded, say('I am back.'))
    other.reply(say('For now.'))
    expectRun(await pipe(['-q', 'hi']), { stdout: 'For now.\n' })
    expectRun(await pipe(['-c', 'and now?']), { stdout: 'I am back.\n' })
    expect(server.requests.map(({ body }) => body.messages.map(({ role }) => role))).toEqual([
      ['system', 'user'],
      ['system', 'user', 'assistant', 'user'],
    ])
  })

  it('ends the run with 51 if all fallbacks are overloaded too, and names them all', async () => {
    const { pipe, server, other } = await openTwo({ fallback: ['spare/m'] })
    server.reply(overloaded)
    other.reply({ ...overloaded, body: '{"error":{"message":"Too busy"}}' })
    const words =
      /fake failed \(529\): Overloaded; no other model could answer \(spare\/m: spare failed \(529\): Too busy\)/
    expectRun(await pipe(['-q', 'hi']), { code: 51, stdout: '', stderr: complaint(words) })
  })
})

describe('-m auto', () => {
  const routes = { fast: 'fake/quick', strong: 'spare/big' }

  it('lets the first message decide between two routes, and says why', async () => {
    const { pipe, server, other, sessions } = await openTwo({ routes })
    server.reply(say('Four.'))
    expectRun(await pipe(['-v', '-m', 'auto', 'what is 2+2?']), {
      stdout: 'Four.\n',
      stderr: expect.stringMatching(
        /^pipe: fake\/quick answers: auto took the route fast, as the request is short\n/,
      ),
    })
    other.reply(say('Because.'))
    const run = await pipe(['-m', 'auto', '-o', 'stream-json', 'why?'])
    const lines = run.stdout.trim().split('\n')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'stream', model: 'spare/big' })
    const events = lines.map((line) => JSON.parse(line))
    expect(events.filter(({ type }) => type === 'round_start')).toMatchObject([
      { model: 'big', reason: 'auto took the route strong, as the request says why' },
    ])
    other.reply(say('It is so.'))
    expectRun(await pipe(['-v', '-c', 'and then?']), {
      stdout: 'It is so.\n',
      stderr: expect.not.stringContaining('auto'),
    })
    const [quick, big] = (await sessions()).map(({ messages: [first] }) => JSON.stringify(first))
    expect(quick).toContain(String.raw`\"model\":\"fake/quick\"`)
    expect(big).toContain(String.raw`\"model\":\"spare/big\"`)
  })

  it('takes the strong route for input, and falls back to the other', async () => {
    const { shell, server, other } = await openTwo({ routes, model: 'auto' })
    other.reply(overloaded)
    server.reply(say('Done.'))
    expectRun(await shell('echo x | pipe -v sum'), {
      stdout: 'Done.\n',
      stderr: expect.stringMatching(
        /spare\/big answers: auto took the route strong, as files or input come with the request\n[\s\S]*fake\/quick continues for spare\/big/,
      ),
    })
  })

  it('needs both routes', async () => {
    const { pipe } = await openTwo({ routes: { fast: 'fake/quick' } })
    const stderr = complaint('auto decides between two routes: set routes.fast and routes.strong')
    expectRun(await pipe(['-m', 'auto', 'hi']), { code: 52, stdout: '', stderr })
  })

  it('shows the chosen model on the terminal', async () => {
    const world = await openTwo({ routes })
    world.other.reply(say('Because.'))
    // The route fast names the conversation.
    world.server.reply(say('Why'))
    const screen = await openPrompt(world, { columns: 80, rows: 20 }, 'exec pipe -m auto')
    screen.type('why?\r')
    await screen.until(
      /spare\/big answers: auto took the route strong[\s\S]*Because\.\n\n─+\n› Ask [^\n]*\n─+\n[^\n]*· big/,
    )
  })
})

describe('a route', () => {
  it('is chosen by its name', async () => {
    const { pipe, other } = await openTwo({ routes: { fast: 'spare/quick' } })
    other.reply(say('Quick.'))
    expectRun(await pipe(['-m', 'fast', 'hi']), { stdout: 'Quick.\n' })
    expect(other.requests.map(({ body }) => body.model)).toEqual(['quick'])
  })

  it('of several models uses the first with a key, and the others if it is overloaded', async () => {
    const models = ['anthropic/claude-sonnet-4-6', 'fake/quick', 'spare/quick']
    const { pipe, server, other } = await openTwo({ routes: { fast: models } })
    server.reply(say('Quick.'), overloaded)
    expectRun(await pipe(['-m', 'fast', 'hi']), { stdout: 'Quick.\n' })
    other.reply(say('Quick too.'))
    expectRun(await pipe(['-v', '-m', 'fast', 'hi']), {
      stdout: 'Quick too.\n',
      stderr: expect.stringMatching(/Overloaded; spare\/quick continues for fake\/quick\n/),
    })
    expect(server.requests.map(({ body }) => body.model)).toEqual(['quick', 'quick'])
  })

  it('of several models without a key names the first', async () => {
    const { pipe } = await openTwo({ routes: { fast: ['anthropic/claude-sonnet-4-6', 'openai/gpt-5'] } })
    const stderr = complaint(/anthropic needs a key/)
    expectRun(await pipe(['-m', 'fast', 'hi']), { code: 41, stdout: '', stderr })
  })

  it('of several models uses the cheapest if the settings prefer that', async () => {
    const price = (input: number) => ({ price: { input, output: input } })
    const { pipe, other } = await openTwo({
      routes: { fast: ['fake/dear', 'spare/cheap'] },
      models: { 'fake/dear': price(9), 'spare/cheap': price(1) },
      prefer: 'cost',
    })
    other.reply(say('Cheap.'))
    expectRun(await pipe(['-m', 'fast', 'hi']), { stdout: 'Cheap.\n' })
  })

  it('called default is used if no model is set', async () => {
    const { pipe, other } = await openTwo({ model: undefined, routes: { default: 'spare/usual' } })
    other.reply(say('As usual.'))
    expectRun(await pipe(['hi']), { stdout: 'As usual.\n' })
  })

  it('called vision answers if the chosen model cannot see images', async () => {
    const { pipe, put, other } = await openTwo({
      routes: { vision: 'spare/eyes' },
      models: { 'fake/model-1': { images: false } },
    })
    await put('a.png', png())
    other.reply(say('A cat.'))
    expectRun(await pipe(['-v', 'what is on @a.png?']), {
      stdout: 'A cat.\n',
      stderr: expect.stringMatching(/^pipe: spare\/eyes answers: fake\/model-1 cannot see images\n/),
    })
  })

  it('to an unknown provider ends the run with 52', async () => {
    const { pipe } = await openTwo({ fallback: ['spear/m'] })
    const stderr = complaint('spear/m in routes or fallback: unknown provider spear')
    expectRun(await pipe(['hi']), { code: 52, stdout: '', stderr })
  })
})

it('a conversation can continue with a model of another dialect', async () => {
  const { pipe, put, server, configure } = await openWorld()
  const ollama = await startFakeOllama()
  onTestFinished(async () => {
    await ollama.close()
    expect(ollama.violations).toEqual([])
  })
  await configure({
    providers: { fake: { base_url: server.baseUrl }, own: { dialect: 'ollama', base_url: ollama.baseUrl } },
  })
  await put('a.txt', 'forty-two\n')
  server.reply(use(['read', { path: 'a.txt' }]), say('It says forty-two.'), say('As I said.'))
  ollama.reply({ blocks: [{ type: 'text', text: 'I agree.' }] })
  expectRun(await pipe(['-m', 'fake/m', 'what is in a.txt?']), { stdout: 'It says forty-two.\n' })
  expectRun(await pipe(['-c', '-m', 'own/m', 'do you agree?']), { stdout: 'I agree.\n' })
  expectRun(await pipe(['-c', '-m', 'fake/m', 'and?']), { stdout: 'As I said.\n' })
  expect(server.requests.map(({ body }) => lastText(body)).at(-1)).toMatch(/\n\nand\?$/)
})

describe('the name of a provider as a model', () => {
  /** Configures providers on the fake server, under names that are parts of other vendors' models. */
  async function openNamed(more: object = {}, own: object = {}) {
    const world = await openWorld()
    const server = { dialect: 'openai-chat', base_url: world.server.baseUrl }
    await world.configure({ providers: { claude: { ...server, ...own }, gpt: server }, ...more })
    world.server.reply(say('Hi.'))
    const asked = async (...args: readonly string[]) => {
      const run = await world.pipe([...args, 'hi'])
      return [run.code, run.code === 0 ? world.server.requests.at(-1)?.body.model : run.stderr]
    }
    return { world, asked }
  }

  it('means the first model that the settings list for it', async () => {
    const { asked } = await openNamed({}, { models: ['fake-7', 'fake-8'] })
    expect(await asked('-m', 'claude')).toEqual([0, 'fake-7'])
  })

  it('means the model of it that the settings use, at the level of the name', async () => {
    const { asked } = await openNamed({ model: 'gpt/fake-9' })
    expect(await asked('-m', 'GPT:high')).toEqual([0, 'fake-9'])
  })

  it('means the first text model that its server lists', async () => {
    const { world } = await openNamed()
    const models = { data: [{ id: 'nomic-embed' }, { id: 'listed-1' }] }
    const base_url = await serveChat(models)
    await world.configure({ providers: { claude: { dialect: 'openai-chat', base_url } } })
    const run = await world.pipe(['-m', 'claude', '-o', 'json', 'hi'])
    expect(JSON.parse(run.stdout)).toMatchObject({ model: 'claude/listed-1' })
  })

  it('is refused where no model of it is known, and is never part of another model', async () => {
    const { asked, world } = await openNamed()
    expect(await asked('-m', 'claude')).toEqual([
      2,
      `pipe: no default model of claude is known: ${world.server.baseUrl} lists none; name one: -m claude/MODEL\n`,
    ])
    expect(world.server.requests).toEqual([])
  })

  it('means its built-in default where there is a key', async () => {
    const { world } = await openNamed()
    const env = { MISTRAL_API_KEY: 'key', MISTRAL_BASE_URL: world.server.baseUrl }
    expectRun(await world.pipe(['-m', 'mistral', 'hi'], { env }), { stdout: 'Hi.\n' })
    expect(world.server.requests.map(({ body }) => body.model)).toEqual(['mistral-medium-latest'])
  })

  it('asks for its key where there is none, whatever models have the name in theirs', async () => {
    const { asked } = await openNamed()
    for (const name of ['openai', 'mistral/', 'deepseek:high']) {
      const [provider = ''] = name.split(/[:/]/)
      const key = `export ${provider.toUpperCase()}_API_KEY=… or: pipe auth set ${provider}`
      expect(await asked('-m', name)).toEqual([41, `pipe: ${provider} needs a key: ${key}\n`])
    }
  })
})

it('part of the name of a model that the settings list for a server is enough', async () => {
  const { pipe, configure, server } = await openWorld()
  const base_url = server.baseUrl
  await configure({ providers: { mine: { base_url, models: ['qwen3-coder', 'gpt-5.6'] } } })
  for (const word of ['coder', 'gpt-5.6:low']) {
    server.reply(say('Hi.'))
    expectRun(await pipe(['-m', word, 'hi']), { stdout: 'Hi.\n' })
  }
  expect(server.requests.map(({ body }) => body.model)).toEqual(['qwen3-coder', 'gpt-5.6'])
})

/** Starts a server that lists models, and answers every chat with "Hi.". Returns its base URL. */
async function serveChat(models: object): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/models') return void response.end(JSON.stringify(models))
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of replyEvents([{ type: 'text', text: 'Hi.' }])) response.write(event)
    response.end()
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${await listen(server)}`
}
