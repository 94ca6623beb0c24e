import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { lastText, say, unfinished } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { readLines } from '../../support/programs/stream-lines.ts'
import { openWorld } from '../../support/programs/world.ts'
import { cutOff, outline } from '../../support/sessions/session-file.ts'
import { openPrompt } from '../../support/terminals/screen.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'

const said = { type: 'text', text: 'I begin with the first.' } as const
const runs = { type: 'tool_call', name: 'bash', arguments: { command: 'echo once >> ran' } } as const

describe('a rate limit', () => {
  it('STRE-282: is followed by a retry after the milliseconds that the server asks for', async () => {
    const { pipe, server } = await openWorld()
    const asked: number[] = []
    const noted =
      (status: number, body: string): FakeReply =>
      (_, response) => {
        asked.push(performance.now())
        response.writeHead(status, { 'retry-after-ms': '250', 'retry-after': '30' }).end(body)
      }
    server.reply(noted(429, '{"error":{"message":"slow down"}}'), noted(200, replyEvents([said]).join('')))
    const run = await pipe(['-o', 'stream-json', 'hi'])
    expectRun(run, { stdout: expect.stringContaining(`"result":"${said.text}"`) })
    const [first = 0, second = 0] = asked
    expect(second - first).toBeGreaterThanOrEqual(249)
    expect(readLines(run.stdout).filter(({ type }) => type === 'retry')).toEqual([
      expect.objectContaining({
        attempt: 1,
        wait_ms: 250,
        discarded: [],
        reason: expect.stringContaining('slow down'),
      }),
    ])
  })

  it('STRE-283: of a day ends the run, which reports how long it lasts', async () => {
    const { pipe, server, sessions } = await openWorld()
    server.reply({
      status: 429,
      headers: { 'retry-after': '86400' },
      body: '{"error":{"message":"slow down"}}',
    })
    const stderr = complaint(/slow down; the server asks to try again in 24 h/)
    expectRun(await pipe(['hi']), { code: 51, stdout: '', stderr })
    expect((await sessions()).map(outline)).toEqual([['user: hi']])
  })

  it('STRE-279: is shown on the screen with the time until the retry', async () => {
    const world = await openWorld()
    world.server.reply({ status: 529, headers: { 'retry-after': '1' } }, say('Fine.'))
    const screen = await openPrompt(world, { columns: 80, rows: 24 })
    screen.type('go\r')
    await screen.until(/fake failed \(529\)[^\n]*; trying\s+again in 1 s/)
    await screen.until(/Fine\./)
  })
})

describe('a connection that breaks', () => {
  it('STRE-284: after three deltas prints, saves and runs nothing twice', async () => {
    const { pipe, server, sessions, cwd } = await openWorld()
    const sse = replyEvents([said]).slice(0, 3).join('')
    server.reply({ sse, ending: 'reset' }, { blocks: [said, runs] }, say('Done.'))
    const run = await pipe(['--yolo', '-o', 'stream-json', 'go'])
    expectRun(run, { stdout: expect.stringContaining('"result":"Done."') })
    const lines = readLines(run.stdout)
    const shown = lines.find(({ type }) => type === 'text_delta')
    const struck = lines.filter(({ type }) => type === 'retry').map(({ discarded }) => discarded)
    expect(struck).toEqual([[shown?.['id']]])
    expect((await sessions()).map(outline)).toEqual([
      [
        'user: go',
        `assistant: ${said.text} + bash [tool_use]`,
        'tool_result: (no output)',
        'assistant: Done.',
      ],
    ])
    expect(await readFile(join(cwd, 'ran'), 'utf8')).toBe('once\n')
  })

  it.each([
    ['STRE-287: before the stop reason', unfinished(said)],
    ['STRE-288: in the arguments of a call', unfinished(runs, 1)],
  ])('%s makes pipe request the reply again', async (_, sse) => {
    const { pipe, server, sessions, cwd } = await openWorld()
    server.reply({ sse }, say('All of it.'))
    expectRun(await pipe(['--yolo', 'go']), { stdout: 'All of it.\n' })
    expect(server.requests.map(({ body }) => body.messages.length)).toEqual([2, 2])
    expect((await sessions()).map(outline)).toEqual([['user: go', 'assistant: All of it.']])
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
  })
})

describe('STRE-288: a complete reply whose call has truncated arguments', () => {
  const cut = (finishReason: string) => ({
    sse: replyEvents([runs], { finishReason })
      .filter((event) => !event.includes('ran'))
      .join(''),
  })

  it('is not repaired: the call fails with an error for the model', async () => {
    const { pipe, server, sessions, cwd } = await openWorld()
    server.reply(cut('tool_calls'), say('I try again.'))
    expectRun(await pipe(['--yolo', 'go']), { stdout: 'I try again.\n' })
    const told =
      'The arguments of bash are not valid JSON, so it was not run: {"command":"echo once >>\nSend the call again.'
    expect(server.requests.map(({ body }) => lastText(body)).at(-1)).toBe(`tool: ${told}`)
    expect((await sessions()).map(outline)).toEqual([
      ['user: go', 'assistant: bash [tool_use]', `tool_result: ${told} [error]`, 'assistant: I try again.'],
    ])
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
  })

  it('ends the run if it hit the length limit', async () => {
    const { pipe, server, sessions, cwd } = await openWorld()
    server.reply(cut('length'))
    const stderr = complaint('the answer was cut at the length limit')
    expectRun(await pipe(['--yolo', 'go']), { code: 48, stdout: '', stderr })
    expect((await sessions()).map(outline)).toEqual([['user: go', 'assistant: bash [length]', cutOff]])
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
  })
})

it('STRE-291: text that arrives byte by byte, in events with CRLF, is printed unchanged', async () => {
  const { pipe, server } = await openWorld()
  const words = 'Grüße 世界 🌍 👩‍👩‍👧 é\r\nend'
  const sse = replyEvents([{ type: 'text', text: words }])
    .join('')
    .replaceAll('\n', '\r\n')
  server.reply({ sse, chunkSizes: [1] })
  expectRun(await pipe(['hi']), { stdout: `${words}\n` })
})

describe('STRE-294: a conversation that is too long', () => {
  const tooLong: FakeReply = {
    status: 400,
    body: '{"error":{"type":"invalid_request_error","message":"prompt is too long"}}',
  }
  const long = (letter: string) => letter.repeat(20_000)

  it('is summarised once and continues; if that does not help, the run ends with 42 and loses nothing', async () => {
    const { pipe, server, sessions } = await openWorld()
    for (const letter of ['a', 'b']) {
      server.reply(say(long(letter)))
      await pipe(letter === 'a' ? ['One?'] : ['-c', 'Two?'])
    }
    server.reply(tooLong, say('They counted.'), say('Fine.'))
    expectRun(await pipe(['-c', 'Three?']), { stdout: 'Fine.\n' })
    server.reply(tooLong)
    const stderr = complaint('prompt is too long; no more of it can be summarised')
    expectRun(await pipe(['-c', 'Four?']), { code: 42, stdout: '', stderr })
    expect((await sessions()).map(outline)).toEqual([
      [
        'user: One?',
        `assistant: ${long('a')}`,
        'user: Two?',
        `assistant: ${long('b')}`,
        'user: Three?',
        expect.stringContaining('They counted.'),
        'assistant: Fine.',
        'user: Four?',
      ],
    ])
  })
})
