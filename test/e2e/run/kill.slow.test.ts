import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod'
import type { ScriptBlock } from '../../../src/replay/script.ts'
import { deferred } from '../../support/clocks/deferred.ts'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { lastText } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'

/** The model's reply in each round of the run that is killed. */
const rounds: readonly (readonly ScriptBlock[])[] = [
  [
    { type: 'text', text: 'Looking.' },
    { type: 'tool_call', name: 'read', arguments: { path: 'a.txt' } },
    { type: 'tool_call', name: 'glob', arguments: { pattern: '*' } },
  ],
  [{ type: 'tool_call', name: 'bash', arguments: { command: 'echo one; echo two' } }],
  [{ type: 'tool_call', name: 'write', arguments: { path: 'b.txt', content: 'b\n' } }],
  [{ type: 'text', text: 'All of it is done.' }],
]

/** Pseudo-random numbers from 0 to 1, the same for the same seed. */
function* randoms(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

/** The model as a server. It derives the round from the conversation and reports each delta that it sends. */
function model(onDelta: () => void): FakeReply {
  return async ({ body, closed }, response) => {
    const round = body.messages.filter(({ role }) => role === 'assistant').length
    const goesOn = lastText(body).endsWith('and now?')
    const blocks: readonly ScriptBlock[] = goesOn
      ? [{ type: 'text', text: 'Here I am.' }]
      : (rounds[round] ?? [])
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const events = replyEvents(blocks)
    // The last reply never ends, so no kill comes too late.
    const isLast = !goesOn && round === rounds.length - 1
    for (const event of isLast ? events.slice(0, -3) : events) {
      await new Promise((resolve) => response.write(event, resolve))
      onDelta()
    }
    if (isLast) await closed
    response.end()
  }
}

/** An event that announces a saved message. */
const told = z.object({ type: z.enum(['turn_start', 'message']), message: z.object({ id: z.string() }) })

/** Kills a run at the n-th line it writes or delta it receives, then continues its session in another run. */
async function killAndContinue(what: 'line' | 'delta', n: number): Promise<void> {
  const { server, start, pipe, put, home, sessions } = await openWorld()
  await put('a.txt', 'a\n')
  let sent = 0
  const allSent = deferred()
  const onDelta = () => {
    sent++
    if (what === 'delta' && sent === n) run.kill('SIGKILL')
    if (sent === deltas) allSent.resolve()
  }
  server.reply(...Array.from({ length: rounds.length + 1 }, () => model(onDelta)))
  const run = start(['--yolo', '-o', 'stream-json', '-s', 'mortal', 'do it'])
  if (what === 'line') {
    // Deltas that arrive together are one line, so there may be fewer lines.
    const written = run.until(new RegExp(`^(.*\n){${n}}`)).catch(() => undefined)
    await Promise.race([written, allSent.promise])
    run.kill('SIGKILL')
  }
  const { stdout, signal } = await run.ended
  expect(signal).toBe('SIGKILL')
  const saved = stdout
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => told.safeParse(JSON.parse(line)).data?.message.id ?? [])
  expect(saved.length).toBeGreaterThan(0)
  const file = await readFile(join(home, 'sessions', 'mortal.json'), 'utf8')
  expect(saved.filter((id) => !file.includes(`"${id}"`))).toEqual([])
  expectRun(await pipe(['-c', 'and now?']), { stdout: 'Here I am.\n' })
  const [session] = await sessions()
  const kept = session?.messages.map(({ id }) => id) ?? []
  // Results are saved when their calls end, and announced in the order of the calls.
  expect(kept.slice(0, saved.length + 1)).toEqual(expect.arrayContaining(saved))
  expect(session?.messages.at(-1)?.content).toMatchObject([{ text: 'Here I am.' }])
}

/** Lines that a run writes at most, and deltas that it receives, if nothing kills it. */
const lines = 69
const deltas = 36

const random = randoms(20_260_218)
const moments = Array.from({ length: 30 }, (_, i) => {
  const where = random.next().value
  return i % 2 === 0
    ? (['line', 2 + Math.floor(where * (lines - 1))] as const)
    : (['delta', 1 + Math.floor(where * deltas)] as const)
})

it.each(moments)('a run killed at %s %i loses no message it announced, and can be continued', killAndContinue)
