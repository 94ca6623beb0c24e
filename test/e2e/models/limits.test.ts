import { readdir } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { unfinished } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { quickIt as it, quickDescribe, slowIt } from '../../support/thorough.ts'

const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 }

/** A round with text and a `read` call: 1,000 input tokens, 100 output tokens. */
const look = (words: string): FakeReply => ({
  blocks: [
    { type: 'text', text: words },
    { type: 'tool_call', name: 'read', arguments: { path: 'a.txt' } },
  ],
  usage,
})
const done: FakeReply = { blocks: [{ type: 'text', text: 'Done.' }], usage }

/** $10 per million input tokens, $50 per million output tokens: 1.5 cents a round. */
async function openPriced(): Promise<World> {
  const world = await openWorld()
  await world.configure({
    model: 'fake/model-1',
    providers: { fake: { dialect: 'openai-chat', base_url: world.server.baseUrl } },
    models: { 'fake/model-1': { price: { input: 10, output: 50 } } },
  })
  await world.put('a.txt', 'x\n')
  return world
}

quickDescribe('a limit ends the run and prints the text so far', () => {
  it.each([
    ['--max-turns', '2', 53, 'Two.', 'stopped after 2 rounds, the turn limit'],
    [
      '--max-cost',
      '0.02',
      47,
      'Two.',
      'stopped at the cost limit: spent $0.03 of $0.02; raise the limit to continue',
    ],
    [
      '--max-tokens',
      '1000',
      47,
      'One.',
      'stopped at the token limit: spent 1100 of 1000 tokens; raise the limit to continue',
    ],
  ])('%s %s', async (flag, value, code, stdout, words) => {
    const { pipe, server } = await openPriced()
    server.reply(look('One.'), look('Two.'), look('Three.'))
    expectRun(await pipe([flag, value, 'go']), { code, stdout: `${stdout}\n`, stderr: `pipe: ${words}\n` })
  })

  it('--max-time in the middle of a reply', async () => {
    const { pipe, server, sessions } = await openPriced()
    server.reply({ sse: unfinished({ type: 'text', text: 'Once upon a time' }), ending: 'hang' })
    expectRun(await pipe(['--max-time', '4s', 'go']), {
      code: 47,
      stdout: expect.stringMatching(/^Once upon/),
      stderr: 'pipe: stopped at the time limit: 4 s have passed; raise the limit to continue\n',
    })
    const [session] = await sessions()
    expect(session?.messages.map(({ stop_reason }) => stop_reason)).toEqual([undefined, 'aborted'])
  })
})

describe('--max-time counts from the start of the process', () => {
  const stderr = 'pipe: stopped at the time limit: 0.5 s have passed; raise the limit to continue\n'

  it('ends the wait for a stdin that stays open', async () => {
    const { pipe, server } = await openWorld()
    expectRun(await pipe(['--max-time', '500ms', 'go'], { input: 'open' }), { code: 47, stdout: '', stderr })
    expect(server.requests).toEqual([])
  })

  slowIt('ends an endless stdin and deletes its copy', async () => {
    const { shell, home, temp } = await openWorld()
    const run = await shell('pipe --max-time 500ms go < <(yes)')
    expectRun(run, { code: 47, stdout: '', stderr })
    const names = await readdir(home, { recursive: true })
    expect([names.filter((name) => name.includes('stdin-')), await readdir(temp)]).toEqual([[], []])
  })

  it('reports the limit as JSON even before the first request', async () => {
    const { pipe } = await openWorld()
    const run = await pipe(['--max-time', '500ms', '-o', 'json', 'go'], { input: 'open' })
    expectRun(run, { code: 47, stdout: expect.stringMatching(/^\{.*\}\n$/), stderr })
    expect(JSON.parse(run.stdout)).toMatchObject({
      is_error: true,
      exit_code: 47,
      result: '',
      error: { code: 'budget', details: { limit: 'time', allowed: '500' } },
    })
  })
})

quickDescribe('the cost of a run', () => {
  it('is in the result, in the events of each round, and in the session', async () => {
    const { pipe, server, sessions } = await openPriced()
    server.reply(look('One.'), done)
    const { stdout } = await pipe(['-o', 'stream-json', 'go'])
    const lines: { type: string; cost_usd?: number }[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const costs = lines.filter((line) => 'cost_usd' in line).map((line) => [line.type, line.cost_usd])
    expect(costs).toEqual([
      ['round_end', 0.015],
      ['round_end', 0.015],
      ['turn_end', 0.03],
      ['result', 0.03],
    ])
    const [session] = await sessions()
    expect(session?.['cost_usd']).toBe(0.03)
    server.reply(done)
    const more = await pipe(['-c', '--json', 'and?'])
    expect(JSON.parse(more.stdout)).toMatchObject({ cost_usd: 0.015, is_error: false })
    expect((await sessions()).map((one) => one['cost_usd'])).toEqual([0.045])
  })

  it('is absent without a price', async () => {
    const { pipe, server, configure } = await openWorld()
    const fake = { base_url: server.baseUrl, api_key_env: 'KEY' }
    await configure({ model: 'fake/model-1', providers: { fake } })
    server.reply(done)
    const { stdout } = await pipe(['--json', 'go'], { env: { KEY: 'k' } })
    expect(JSON.parse(stdout)).not.toHaveProperty('cost_usd')
  })
})

quickDescribe('--max-cost without a known price', () => {
  const setting = '{"models":{"fake/model-1":{"price":{"input":3,"output":15}}}}'

  it('ends the run before any request, and names the setting for the price', async () => {
    const { pipe, server, configure, sessions } = await openWorld()
    const fake = { base_url: server.baseUrl, api_key_env: 'KEY' }
    await configure({ model: 'fake/model-1', providers: { fake } })
    const env = { KEY: 'k' }
    const run = await pipe(['--max-cost', '1', 'go'], { env })
    expectRun(run, { code: 52, stdout: '', stderr: expect.stringContaining(setting) })
    expect([server.requests.length, (await sessions())[0]?.messages ?? []]).toEqual([0, []])
    await configure({ model: 'fake/model-1', providers: { fake }, ...JSON.parse(setting) })
    server.reply(done)
    expectRun(await pipe(['--max-cost', '1', 'go'], { env }), { stdout: 'Done.\n' })
  })

  it('allows a server on this machine that needs no key', async () => {
    const { pipe, server } = await openWorld()
    server.reply(done)
    const run = await pipe(['--max-cost', '1', '--json', 'go'])
    expect(JSON.parse(run.stdout)).toMatchObject({ exit_code: 0, cost_usd: 0 })
  })

  it('skips a fallback', async () => {
    const { pipe, server, configure } = await openPriced()
    const fake = { base_url: server.baseUrl }
    await configure({
      model: 'fake/model-1',
      fallback: ['spare/b'],
      providers: { fake, spare: { ...fake, api_key_env: 'KEY' } },
    })
    server.reply({ status: 529, headers: { 'x-should-retry': 'false' }, body: '{}' })
    const run = await pipe(['--max-cost', '1', 'go'], { env: { KEY: 'k' } })
    expect(run.code).toBe(51)
    expect(run.stderr).toContain(
      'no other model could answer (spare/b: a cost limit needs the price of spare/b',
    )
    expect(server.requests).toHaveLength(1)
  })
})

quickDescribe('a truncated reply', () => {
  const cut = (output: number): FakeReply => ({
    blocks: [{ type: 'text', text: 'Once upon' }],
    finishReason: 'length',
    usage: { prompt_tokens: 100, completion_tokens: output, total_tokens: 100 + output },
  })

  it('ends the run with 47 and names the flag if the budget cut it', async () => {
    const { pipe, server } = await openWorld()
    server.reply(cut(500))
    const run = await pipe(['--max-tokens', '500', '--json', 'go'])
    expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([500])
    const message =
      'the answer was cut at the token limit: spent 600 of 500 tokens; raise --max-tokens to get all of it'
    expect(run.stderr).toBe(`pipe: ${message}\n`)
    expect(JSON.parse(run.stdout)).toMatchObject({
      exit_code: 47,
      stop_reason: 'length',
      result: 'Once upon',
      error: { code: 'budget', message, details: { limit: 'tokens', spent: '600', allowed: '500' } },
    })
  })

  it.each([
    ['cut by --max-output-tokens', ['--max-output-tokens', '50', '--max-tokens', '5000'], 50],
    ['cut by the server', ['--max-tokens', '500'], 20],
    ['cut without a budget', [], 20],
  ])('ends the run with 48 if %s', async (_, flags, output) => {
    const { pipe, server } = await openWorld()
    server.reply(cut(output))
    const stderr = 'pipe: the answer was cut at the length limit; --max-output-tokens raises it\n'
    expectRun(await pipe([...flags, 'go']), { code: 48, stdout: 'Once upon\n', stderr })
  })
})
