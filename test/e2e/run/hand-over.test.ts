import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { outlineRequest, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

async function priced({ configure, server }: World) {
  const fake = { dialect: 'openai-chat', base_url: server.baseUrl }
  await configure({
    model: 'fake/model-1',
    providers: { fake, other: fake },
    models: {
      'fake/model-1': { price: { input: 10, output: 50 } },
      'other/m': { price: { input: 10, output: 50 } },
    },
  })
}

/** Runs `pipe -o pipe` once and returns what it printed. */
async function envelopeOf({ pipe, server }: World, ...args: readonly string[]): Promise<string> {
  server.reply(say('Plan A.'))
  const run = await pipe(['-o', 'pipe', ...args, 'plan it'])
  expectRun(run, { stdout: expect.stringMatching(/^\{"pipe_envelope":1,/) })
  return run.stdout
}

describe('-o pipe', () => {
  it('hands a conversation with its calls over to a pipe with another provider', async () => {
    const world = await openWorld()
    const { server, shell, sessions } = world
    await priced(world)
    await world.put('a.txt', 'content of a\n')
    server.reply(use(['read', { path: 'a.txt' }]), say('Plan A.'), say('It is bad.'))
    const line = 'set -o pipefail; pipe -o pipe "plan it" | pipe -m other/m "criticise it"'
    expectRun(await shell(line), { stdout: 'It is bad.\n' })
    const [, , third] = server.requests
    expect(third && outlineRequest(third.body)).toEqual([
      expect.stringContaining('system'),
      expect.stringContaining('plan it'),
      'assistant: ',
      expect.stringContaining('content of a'),
      expect.stringContaining('Plan A.'),
      expect.stringContaining('criticise it'),
    ])
    expect((await sessions()).map(({ messages }) => messages.length)).toEqual([4, 6])
  })

  it('is an object that jq and others read, as the schema says', async () => {
    const world = await openWorld()
    await priced(world)
    const envelope = JSON.parse(await envelopeOf(world, '--max-tokens', '1000000', '--max-cost', '2'))
    expect(envelope).toMatchObject({
      pipe_envelope: 1,
      answer: 'Plan A.',
      provenance: {
        provider: 'fake',
        model: 'model-1',
        session_id: expect.any(String),
        pipe: expect.any(String),
      },
      usage: { input_tokens: expect.any(Number) },
      conversation: [{ type: 'user' }, { type: 'assistant' }],
    })
    const { usage, budget, cost_usd } = envelope
    expect(budget.tokens_left).toBe(1_000_000 - usage.input_tokens - usage.output_tokens)
    expect(budget.usd_left).toBeCloseTo(2 - cost_usd)
    const schema = JSON.parse((await world.pipe(['schema', 'envelope'])).stdout)
    expect(Object.keys(envelope).filter((key) => !(key in schema.properties))).toEqual([])
    expect(schema.required.filter((key: string) => !(key in envelope))).toEqual([])
  })

  it('is read again once jq has formatted it, through a file, without sessions', async () => {
    const world = await openWorld()
    const text = JSON.stringify(JSON.parse(await envelopeOf(world, '--no-session')), undefined, 2)
    world.server.reply(say('Fine.'))
    await world.put('plan.json', text)
    expectRun(await world.shell('pipe --no-session "go on" < plan.json'), { stdout: 'Fine.\n' })
    expect(world.server.requests[1]?.body.messages).toHaveLength(4)
  })

  it('hands on what is left of the budget; the stricter limit holds', async () => {
    const world = await openWorld()
    await priced(world)
    const envelope = await envelopeOf(world, '--max-cost', '0.5')
    world.server.reply(say('Fine.'))
    const next = await world.pipe(['-o', 'pipe', '--max-cost', '90', 'go on'], { input: envelope })
    const left = JSON.parse(envelope).budget.usd_left
    expect(JSON.parse(next.stdout).budget.usd_left).toBeLessThan(left)
    world.server.reply(say('Dear.'))
    const spent = await world.pipe(['-o', 'pipe', '--max-tokens', '1', 'x'])
    expectRun(await world.pipe(['go on'], { input: spent.stdout }), {
      code: 47,
      stdout: '',
      stderr: complaint('the pipes before this one have spent the budget'),
    })
  })

  it('takes no conversation that its user did not make, unless asked to', async () => {
    const world = await openWorld()
    const envelope = JSON.parse(await envelopeOf(world))
    const changed = JSON.stringify({
      ...envelope,
      conversation: envelope.conversation.slice().reverse().slice(0, 1),
    })
    const { signature: _, ...plain } = envelope
    const foreign = { ...plain, signature: createHmac('sha256', randomBytes(32)).update('x').digest('hex') }
    for (const input of [changed, JSON.stringify(plain), JSON.stringify(foreign)]) {
      const stderr = complaint(/was not made by your pipe on this machine.*--stdin envelope.*--stdin data/)
      expectRun(await world.pipe(['go on'], { input }), { code: 42, stdout: '', stderr })
    }
    world.server.reply(say('Fine.'), say('Data.'))
    expectRun(await world.pipe(['--stdin', 'envelope', 'go on'], { input: JSON.stringify(plain) }), {
      stdout: 'Fine.\n',
    })
    expectRun(await world.pipe(['--stdin', 'data', 'what is it?'], { input: changed }), { stdout: 'Data.\n' })
    expect(world.server.requests[2]?.body.messages).toHaveLength(2)
  })

  it.each([
    [(text: string) => text.slice(0, -30), /is cut off, or something follows it/],
    [(text: string) => `${text}more`, /is cut off, or something follows it/],
    [
      (text: string) => text.replace('"pipe_envelope":1', '"pipe_envelope":2'),
      /has version 2, but this pipe reads version 1: update pipe/,
    ],
    [(text: string) => text.replace('"type":"user"', '"type":"nobody"'), /is broken: .*conversation/],
    [
      (text: string) =>
        text.replace('"content":[', '"content":[{"type":"tool_call","id":"x","name":"y","arguments":{}},'),
      /not made by|is broken/,
    ],
  ])('says what to do with an envelope that is broken or newer (%#)', async (change, reason) => {
    const world = await openWorld()
    const input = change((await envelopeOf(world)).trimEnd())
    const run = await world.pipe(['go on'], { input })
    expectRun(run, { code: 42, stdout: '', stderr: expect.stringMatching(reason) })
    expect(run.stderr).toContain('--stdin data')
  })

  it('needs words that say what to do, and an envelope where one is announced', async () => {
    const world = await openWorld()
    const input = await envelopeOf(world)
    const silent = complaint(/stdin holds a conversation: say what to do with it/)
    expectRun(await world.pipe([], { input }), { code: 42, stdout: '', stderr: silent })
    const none = expect.stringContaining('is not an envelope')
    expectRun(await world.pipe(['--stdin', 'envelope', 'x'], { input: 'text' }), {
      code: 42,
      stdout: '',
      stderr: none,
    })
  })

  it.each([
    '-m nosuch/model -o pipe',
    '-o pipe --no-such-flag',
    '-qo pipe -r nobody',
    '-C /nowhere --output-format=pipe',
  ])('passes a run on that could not start: %s', async (flags) => {
    const world = await openWorld()
    const line = `pipe ${flags} "plan it" 2>/dev/null | pipe "go on"`
    const run = await world.shell(line)
    expect(run.code).toBe(42)
    expect(run.stderr).toMatch(/^pipe: the pipe before this one failed with exit code \d+: /)
    expect(world.server.requests).toEqual([])
  })
})
