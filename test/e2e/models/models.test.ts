import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

/** A port on which nothing listens. */
const nowhere = 'http://127.0.0.1:9'
const silence = {
  OLLAMA_BASE_URL: nowhere,
  LMSTUDIO_BASE_URL: `${nowhere}/v1`,
  LLAMACPP_BASE_URL: `${nowhere}/v1`,
  VLLM_BASE_URL: `${nowhere}/v1`,
}

/** Starts a server that answers at one path, if it gets this key, or never, and returns its base URL. */
async function serve(path: string, answer: object | undefined, key?: string): Promise<string> {
  const server = createServer((request, response) => {
    if (answer === undefined) return
    if (request.url === path && request.headers.authorization === key) response.end(JSON.stringify(answer))
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : expect.fail()
}

function lines(stdout: string): readonly string[] {
  return stdout.trimEnd().split('\n')
}

describe('pipe models', () => {
  it('lists the models, and what each provider still needs', async () => {
    const { pipe, configure } = await openWorld()
    await configure({})
    const run = await pipe(['models'], { env: { ...silence, ANTHROPIC_API_KEY: 'secret-1' } })
    expectRun(run, { stdout: expect.any(String) })
    for (const text of ['secret-1', '\u001b']) expect(run.stdout).not.toContain(text)
    const [heading = '', ...models] = lines(run.stdout)
    const now = heading.indexOf('NOW')
    expect(heading.trimEnd().split(/ {2,}/)).toEqual([
      'MODEL',
      'WINDOW',
      'OUTPUT',
      '$ IN/OUT PER 1M',
      'CAN',
      'NOW',
    ])
    const states = models.map((line) => [line.split('/')[0], line.slice(now)])
    const ready = states.filter(([, state]) => state === 'ready')
    expect(ready.length).toBeGreaterThan(10)
    expect(states.slice(0, ready.length)).toEqual(ready.map(() => ['anthropic', 'ready']))
    expect(states).toContainEqual(['openai', 'export OPENAI_API_KEY=…'])
    expect(states).toContainEqual(['ollama', 'not running'])
    expect(states.filter(([, state]) => state === '')).toEqual([])
  })

  it('lists the models of settings and running local servers, usable ones first', async () => {
    const { pipe, configure } = await openWorld()
    const ollama = await serve('/api/tags', {
      models: [{ name: 'qwen3:8b' }, { name: '\u001b[2Jevil\u202e' }],
    })
    const studio = await serve('/v1/models', { data: [{ id: 'local-model' }] })
    await configure({
      providers: {
        mine: { dialect: 'openai-chat', base_url: nowhere, api_key_env: 'MY_KEY', models: ['big', 'small'] },
        slow: { dialect: 'openai-chat', base_url: await serve('', undefined), models: ['late'] },
      },
      models: {
        'mine/big': {
          context_window: 32_768,
          max_output: 4096,
          images: true,
          price: { input: 0.5, output: 1.5 },
        },
        'mine/other': { tools: true },
        'ollama/qwen3:8b': { context_window: 40_960, tools: true },
      },
    })
    const env = { ...silence, OLLAMA_BASE_URL: ollama, LMSTUDIO_BASE_URL: `${studio}/v1` }
    const run = await pipe(['models', '--json'], { env })
    expectRun(run, { stdout: expect.any(String) })
    expect(run.stdout).not.toContain('\u001b')
    const { models }: { models: readonly { model: string }[] } = JSON.parse(run.stdout)
    const own = models.filter(({ model }) => /^(mine|slow|ollama|lmstudio)\//.test(model))
    expect(own).toEqual([
      { model: 'ollama/qwen3:8b', context_window: 40_960, tools: true, usable: true },
      { model: expect.stringMatching(/^ollama\/.*evil/), usable: true },
      { model: 'lmstudio/local-model', usable: true },
      {
        model: 'mine/big',
        context_window: 32_768,
        max_output: 4096,
        images: true,
        price: { input: 0.5, output: 1.5 },
        usable: false,
        missing: 'export MY_KEY=…',
      },
      { model: 'mine/other', tools: true, usable: false, missing: 'export MY_KEY=…' },
      { model: 'mine/small', usable: false, missing: 'export MY_KEY=…' },
      { model: 'slow/late', usable: false, missing: 'not running' },
    ])
    expect(models.slice(0, 3).map(({ model }) => model.split('/')[0])).toEqual([
      'ollama',
      'ollama',
      'lmstudio',
    ])
    expect(models.map(({ model }) => model).filter((model) => model.includes('…'))).toEqual([])
  })

  it('lists the current model, and what configured servers with a key list, usable ones first', async () => {
    const { pipe, configure } = await openWorld()
    const own = await serve('/v1/models', { data: [{ id: 'big-2' }, { id: 'big-1' }] }, 'Bearer k1')
    const moved = await serve('/v1/models', { data: [{ id: 'gpt-5.6' }, { id: 'local' }] }, 'Bearer k2')
    await configure({
      model: 'mine/big-1:high',
      routes: { fast: 'mine/quick' },
      fallback: ['deaf/spare'],
      providers: {
        mine: { base_url: `${own}/v1`, api_key_env: 'MY_KEY' },
        deaf: { base_url: nowhere, api_key_env: 'MY_KEY' },
        keyless: { base_url: `${own}/v1`, api_key_env: 'NO_KEY' },
        nowhere: { api_key_env: 'MY_KEY' },
      },
    })
    const env = { ...silence, MY_KEY: 'k1', OPENAI_API_KEY: 'k2', OPENAI_BASE_URL: `${moved}/v1` }
    const run = await pipe(['models', '--json'], { env })
    const { models }: { models: readonly { model: string; usable: boolean }[] } = JSON.parse(run.stdout)
    const usable = models.filter((one) => one.usable).map(({ model }) => model)
    expect(usable).toEqual([
      ...['mine/big-1', 'mine/quick', 'mine/big-2', 'deaf/spare'],
      ...['openai/gpt-5.6', 'openai/local'],
    ])
    expect(models.slice(0, usable.length).map(({ model }) => model)).toEqual(usable)
    const named = await pipe(['models', 'other'], { env: { ...env, PIPE_MODEL: 'mine/other' } })
    expectRun(named, { stdout: expect.stringMatching(/\nmine\/other .*ready\n$/) })
  })

  it('does not call a server stopped that answers and has no list of its models', async () => {
    const { pipe, configure } = await openWorld()
    const base_url = await serve('/elsewhere', {})
    await configure({
      providers: { bare: { base_url }, named: { base_url, models: ['big'] }, off: { base_url: nowhere } },
    })
    const { stdout } = await pipe(['models'], { env: silence })
    const rows = lines(stdout).filter((line) => /^(bare|named|off)\//.test(line))
    expect(rows.map((row) => row.split(/ {2,}/).filter((cell) => cell !== '-' && cell !== ''))).toEqual([
      ['named/big', 'ready'],
      ['off/…', 'not running'],
      ['bare/…', 'has no list: name a model, as in -m bare/MODEL'],
    ])
  })

  it('lists the models whose name contains the word, and ignores case', async () => {
    const { pipe, configure } = await openWorld()
    await configure({})
    const env = { ...silence, ANTHROPIC_API_KEY: 'k' }
    const run = await pipe(['models', 'HAIKU-4-'], { env })
    expectRun(run, {
      stdout: [
        'MODEL                       WINDOW  OUTPUT  $ IN/OUT PER 1M  CAN                      NOW',
        'anthropic/claude-haiku-4-5  200k    64k     1/5              images pdf thinks tools  ready',
        '',
      ].join('\n'),
    })
    const stderr = 'pipe: no model name contains "no-such"\n'
    expectRun(await pipe(['models', 'no-such'], { env }), { stdout: '', stderr })
    expectRun(await pipe(['models', 'no-such', '-o', 'json'], { env }), {
      stdout: '{"models": []}\n',
      stderr,
    })
    expectRun(await pipe(['models', 'vllm'], { env }), {
      stdout: expect.stringMatching(/\nvllm\/… .*not running\n$/),
    })
  })

  it('rejects more than one word, and sends none to a model', async () => {
    const { pipe, server } = await openWorld()
    const stderr = complaint('pipe models [FILTER] does not take "what?"')
    expectRun(await pipe(['models', 'are', 'what?']), { code: 2, stdout: '', stderr })
    expect(server.requests).toEqual([])
  })
})
