import { describe, expect, it } from 'vitest'
import type { FakeReply } from '../support/fake-server.ts'
import { expectRun } from '../support/program.ts'
import { unfinished } from '../support/replies.ts'
import { openWorld, type World } from '../support/world.ts'

const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 }

/** A round that reads a file, saying so, for a thousand tokens in and a hundred out. */
const look = (words: string): FakeReply => ({
  blocks: [
    { type: 'text', text: words },
    { type: 'tool_call', name: 'read', arguments: { path: 'a.txt' } },
  ],
  usage,
})
const done: FakeReply = { blocks: [{ type: 'text', text: 'Done.' }], usage }

/** 10 dollars for a million tokens in and 50 for one out: 1.5 cents a round. */
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

describe('a limit ends the run, and what was said so far is printed', () => {
  it.each([
    ['--max-turns', '2', 53, 'Two.', 'stopped after 2 rounds, the turn limit'],
    [
      '--max-cost',
      '0.02',
      47,
      'Two.',
      'stopped at the cost limit: $0.03 of $0.02 are spent; raise it to go on',
    ],
    [
      '--max-tokens',
      '1000',
      47,
      'One.',
      'stopped at the tokens limit: 1100 of 1000 tokens are spent; raise it to go on',
    ],
  ])('%s %s', async (flag, value, code, stdout, words) => {
    const { pipe, server } = await openPriced()
    server.reply(look('One.'), look('Two.'), look('Three.'))
    expectRun(await pipe([flag, value, 'go']), { code, stdout: `${stdout}\n`, stderr: `pipe: ${words}\n` })
  })

  it('--max-time, in the middle of a reply', async () => {
    const { pipe, server, sessions } = await openPriced()
    server.reply({ sse: unfinished({ type: 'text', text: 'Once upon a time' }), ending: 'hang' })
    expectRun(await pipe(['--max-time', '500ms', 'go']), {
      code: 47,
      stdout: expect.stringMatching(/^Once upon/),
      stderr: 'pipe: stopped at the time limit: a turn may take 0.5 s; raise it to go on\n',
    })
    const [session] = await sessions()
    expect(session?.messages.map(({ stop_reason }) => stop_reason)).toEqual([undefined, 'aborted'])
  })
})

describe('what a run costs', () => {
  it('stands in its result, a round at a time in its events, and in the session', async () => {
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

  it('is not known without a price', async () => {
    const { pipe, server } = await openWorld()
    server.reply(done)
    expect(JSON.parse((await pipe(['--json', 'go'])).stdout)).toMatchObject({ cost_usd: null })
  })
})
