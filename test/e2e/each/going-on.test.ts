import { existsSync } from 'node:fs'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deferred } from '../../support/clocks/deferred.ts'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { say } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'
import { promptOf, readObjects } from './each-setup.ts'

/** Says something that costs 15 tokens. */
const costly = (text: string): FakeReply => ({
  blocks: [{ type: 'text', text }],
  usage: { prompt_tokens: 10, completion_tokens: 5 },
})

/** Never answers. */
const silent: FakeReply = async ({ closed }) => void (await closed)

describe('one budget for all records', () => {
  it('ends the run in the middle with 47, and a later run with the journal completes it', async () => {
    const { pipe, server, cwd } = await openWorld()
    const args = ['--each', '--failed', 'rest', '--resume-map', 'map', '{}']
    const input = '1\n2\n3\n4\n5\n'
    server.reply(costly('a'), costly('b'))
    const first = await pipe(['--max-tokens', '25', '-o', 'json', ...args], { input })
    expect(first).toMatchObject({
      code: 47,
      stderr: expect.stringMatching(/stopped at the token limit.*\npipe: 2 done, 0 failed, 3 not run\n$/),
    })
    expect(readObjects(first.stdout).map(({ status, exit_code: code }) => [status, code])).toEqual([
      ['done', 0],
      ['done', 0],
      ['not_run', 47],
      ['not_run', 47],
      ['not_run', 47],
    ])
    expect(await readFile(join(cwd, 'rest'), 'utf8')).toBe('3\n4\n5\n')
    server.reply(costly('c'), costly('d'), costly('e'))
    expectRun(await pipe(args, { input }), { stdout: 'a\nb\nc\nd\ne\n' })
    expect(server.requests.map(promptOf)).toEqual(['1', '2', '3', '4', '5'])
    expect(await readFile(join(cwd, 'rest'), 'utf8')).toBe('')
  })

  it('reads no more of an endless input', async () => {
    const { shell, server } = await openWorld()
    server.reply(costly('a'), costly('b'))
    const run = await shell('set -o pipefail; yes | pipe --each --max-tokens 25 "{}"; echo $?')
    expect(run.stdout).toBe('a\nb\n47\n')
  })

  it('counts time too: what runs then is cut', async () => {
    const { pipe, server } = await openWorld()
    server.reply(silent)
    const run = await pipe(['--each', '--max-time', '1s', '-o', 'json', '{}'], { input: '1\n2\n' })
    expect(run.code).toBe(47)
    expect(readObjects(run.stdout).map(({ status }) => status)).toEqual(['failed', 'not_run'])
  })
})

describe('--resume-map', () => {
  it('is kept from a second run, which names the first and asks for nothing', async () => {
    const { start, pipe, server } = await openWorld()
    const args = ['--each', '--resume-map', 'map', '{}']
    const [arrived, answered] = [deferred(), deferred()]
    server.reply(async (_, response) => {
      arrived.resolve()
      await answered.promise
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(replyEvents([{ type: 'text', text: 'a' }]).join(''))
    })
    const running = start(args, { input: '1\n' })
    await arrived.promise
    const second = await pipe(args, { input: '1\n' })
    const holder = `map is in use by process ${running.pid}`
    expectRun(second, { code: 42, stdout: '', stderr: complaint(holder) })
    answered.resolve()
    expectRun(await running.ended, { stdout: 'a\n' })
    expectRun(await pipe(args, { input: '1\n' }), { stdout: 'a\n' })
    expect(server.requests).toHaveLength(1)
  })

  it('goes on after a kill in the middle of a line', async () => {
    const { start, pipe, server, cwd } = await openWorld()
    const args = ['--each', '--resume-map', 'map', '{}']
    const arrived = deferred()
    server.reply(say('a'), async ({ closed }) => {
      arrived.resolve()
      await closed
    })
    const running = start(args, { input: '1\n2\n' })
    await running.until(/a\n/)
    await arrived.promise
    running.kill('SIGKILL')
    await running.ended
    await appendFile(join(cwd, 'map'), '{"index":2,"hash":"')
    server.reply(say('b'))
    expectRun(await pipe(args, { input: '1\n2\n' }), { stdout: 'a\nb\n' })
  })

  it('asks again about a record that has changed, and refuses another prompt', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('a'), say('b'), say('c'))
    await pipe(['--each', '--resume-map', 'map', '{}'], { input: '1\n2\n' })
    expectRun(await pipe(['--each', '--resume-map', 'map', '{}'], { input: '1\n3\n' }), { stdout: 'a\nc\n' })
    expectRun(await pipe(['--each', '--resume-map', 'map', 'x {}'], { input: '1\n' }), {
      code: 42,
      stdout: '',
      stderr: expect.stringContaining('map is the journal of another prompt'),
    })
  })
})

describe('the journal of --resume-map', () => {
  const another = {
    code: 42,
    stdout: '',
    stderr: expect.stringContaining('map is the journal of another prompt'),
  }

  it.each([
    ['a schema', ['--json-schema', 'file.json'], '{"type":"object"}', '{"required":["a"]}'],
    ['a system prompt', ['--system-prompt-file', 'file.json'], 'a', 'b'],
    ['more of a system prompt', ['--append-system-prompt-file', 'file.json'], 'a', 'b'],
    ['an attachment', ['-f', 'file.json'], 'a', 'b'],
  ])('is refused once the file with %s has changed', async (_, flags, before, after) => {
    const { pipe, server, put } = await openWorld()
    const args = ['--each', '--resume-map', 'map', ...flags, '--', '{}']
    await put('file.json', before)
    server.reply(say('{"a":1}'))
    expectRun(await pipe(args, { input: '1\n' }), { stdout: '{"a":1}\n' })
    expectRun(await pipe(args, { input: '1\n' }), { stdout: '{"a":1}\n' })
    await put('file.json', after)
    expectRun(await pipe(args, { input: '1\n' }), another)
    expect(server.requests).toHaveLength(1)
  })

  it('is refused if a pipe brings something else, and taken if it brings the same', async () => {
    const { shell, server } = await openWorld()
    server.reply(say('a'))
    const run = (word: string) =>
      shell(`echo 1 | pipe --each --resume-map map -f <(echo ${word}) -- 'What is {}?'`)
    expectRun(await run('one'), { stdout: 'a\n' })
    expectRun(await run('one'), { stdout: 'a\n' })
    expectRun(await run('two'), another)
    expect(server.requests).toHaveLength(1)
  })

  it('is refused for another model', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('a'))
    const args = ['--each', '--resume-map', 'map', '{}']
    expectRun(await pipe(args, { input: '1\n' }), { stdout: 'a\n' })
    expectRun(await pipe(['-m', 'fake/model-2', ...args], { input: '1\n' }), another)
  })

  it('knows a row of CSV by the names of its fields too', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('one'), say('two'))
    const args = ['--each=csv', '--resume-map', 'map', '{a}']
    expectRun(await pipe(args, { input: 'a,b\n1,2\n' }), { stdout: 'one\n' })
    expectRun(await pipe(args, { input: 'b,a\n1,2\n' }), { stdout: 'two\n' })
  })
})

describe('--failed', () => {
  it('keeps what an earlier run left if the run cannot start', async () => {
    const { pipe, put, cwd } = await openWorld()
    await put('rest', '1\n')
    const run = await pipe(['--each', '-m', 'nobody/x', '--failed', 'rest', '{}'], { input: '2\n' })
    expect(run.code).toBeGreaterThan(0)
    expect(await readFile(join(cwd, 'rest'), 'utf8')).toBe('1\n')
  })

  it.skipIf(!existsSync('/dev/full'))('has what was read but could not be written', async () => {
    const { shell, server, put, cwd } = await openWorld()
    await put('in.csv', 'id\n1\n2\n3\n')
    server.reply(say('a'), say('b'), say('c'))
    const run = await shell('pipe --each=csv --failed rest "{id}" < in.csv > /dev/full')
    expect(run.code).toBe(1)
    expect(await readFile(join(cwd, 'rest'), 'utf8')).toMatch(/^id\n1\n(2\n(3\n)?)?$/)
  })

  it('does not destroy the input', async () => {
    const { shell, put, cwd } = await openWorld()
    await put('in', '1\n2\n')
    const run = await shell('pipe --each --failed in "{}" < in')
    expectRun(run, {
      code: 42,
      stdout: '',
      stderr: expect.stringContaining('--failed in is the input itself'),
    })
    expect(await readFile(join(cwd, 'in'), 'utf8')).toBe('1\n2\n')
    const other = await shell('pipe --each --resume-map in2 --failed ./in2 "{}" < in')
    expectRun(other, { code: 42, stdout: '', stderr: expect.stringContaining('is the file of --resume-map') })
  })
})

describe('a server that has had too much', () => {
  it('gets fewer requests at once from all records, and all are answered', async () => {
    const { pipe, server } = await openWorld()
    const jobs = 8
    let running = 0
    let most = 0
    // The first ones are refused together, so that none is answered before.
    const waiting: (() => void)[] = []
    const refuse: FakeReply = async (_, response) => {
      const all = new Promise<void>((resolve) => waiting.push(resolve))
      if (waiting.length === jobs) for (const go of waiting) go()
      await all
      response.writeHead(429, { 'retry-after-ms': '50', 'content-type': 'application/json' })
      response.end('{"error":{"message":"slow down"}}')
    }
    const answer: FakeReply = async (request, response) => {
      running += 1
      most = Math.max(most, running)
      // Gives others the time to arrive if they may.
      for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(replyEvents([{ type: 'text', text: promptOf(request) }]).join(''))
    }
    server.reply(...Array.from({ length: jobs }, () => refuse), ...Array.from({ length: jobs }, () => answer))
    const input = '1\n2\n3\n4\n5\n6\n7\n8\n'
    expectRun(await pipe(['--each', '-j', String(jobs), '{}'], { input }), { stdout: input })
    expect(most).toBeLessThanOrEqual(jobs / 2 + 1)
  })

  it('is not asked again if it wants a rest of an hour: the rest is not run', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('a'), {
      status: 429,
      headers: { 'retry-after': '3600' },
      body: '{"error":{"message":"quota"}}',
    })
    const run = await pipe(['--each', '{}'], { input: '1\n2\n3\n4\n' })
    expect(run).toMatchObject({ code: 51, stdout: 'a\n' })
    expect(server.requests.length).toBe(2)
  })
})

describe('an interrupt', () => {
  it('begins nothing, prints what is known, and ends with 130', async () => {
    const { start, server, cwd } = await openWorld()
    const arrived = deferred()
    server.reply(
      async (request) => {
        await request.closed
      },
      async (request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(replyEvents([{ type: 'text', text: promptOf(request) }]).join(''))
      },
      async (request) => {
        arrived.resolve()
        await request.closed
      },
    )
    const running = start(['--each', '-j', '2', '--failed', 'rest', '-o', 'json', '{}'], { input: 'open' })
    await running.write('1\n2\n3\n4\nto')
    await arrived.promise
    running.kill('SIGINT')
    const run = await running.ended
    expect(run.code).toBe(130)
    const results = readObjects(run.stdout)
    expect(results.map(({ index, status }) => [index, status]).slice(0, 3)).toEqual([
      [1, expect.stringMatching(/done|failed/)],
      [2, expect.stringMatching(/done|failed/)],
      [3, 'failed'],
    ])
    expect(results.filter(({ status }) => status === 'done').length).toBe(1)
    expect(await readFile(join(cwd, 'rest'), 'utf8')).toMatch(/^[12]\n3\n(4\n)?$/)
  })
})

describe('the audit log', () => {
  it('is one for all records', async () => {
    const { pipe, shell, server, put } = await openWorld()
    server.reply(say('a'), say('b'))
    await put('in', '1\n2\n')
    await pipe(['--each', '{}'], { input: '1\n2\n' })
    const run = await shell('cat "$PIPE_HOME"/audit/*.jsonl')
    const entries = readObjects(run.stdout)
    const said = entries.filter(({ decision }) => decision === 'user_message')
    expect(said).toMatchObject([{ audit: { record: 1 } }, { audit: { record: 2 } }])
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, i) => i + 1))
    expect(entries.filter(({ decision }) => decision === 'system_context').length).toBe(1)
  })
})

it('writes nothing about a file it cannot open', async () => {
  const { pipe, cwd } = await openWorld()
  await writeFile(join(cwd, 'file'), '')
  const run = await pipe(['--each', '--failed', 'file/x', '{}'], { input: '1\n' })
  expect(run).toMatchObject({ code: 52, stdout: '', stderr: expect.stringContaining('cannot open file/x') })
})
