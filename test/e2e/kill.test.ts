import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ScriptBlock } from '../../src/replay/script.ts'
import { replyEvents } from '../support/chat-sse.ts'
import type { FakeReply } from '../support/fake-server.ts'
import { expectRun } from '../support/program.ts'
import { lastText } from '../support/replies.ts'
import { openWorld } from '../support/world.ts'

/** What the model says in each round; the last is for the process that goes on. */
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

/** Numbers from 0 to 1, the same for the same seed. */
function* randoms(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

/** The model as a server: it knows by the conversation which round it is, and tells of each delta it sends. */
function model(onDelta: () => void): FakeReply {
  return async ({ body }, response) => {
    const round = body.messages.filter(({ role }) => role === 'assistant').length
    const goesOn = lastText(body).endsWith('and now?')
    const blocks: readonly ScriptBlock[] = goesOn
      ? [{ type: 'text', text: 'Here I am.' }]
      : (rounds[round] ?? [])
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of replyEvents(blocks)) {
      await new Promise((resolve) => response.write(event, resolve))
      onDelta()
    }
    response.end()
  }
}

/** Kills a run at the n-th line it writes, or delta it is sent; then lets another go on. */
async function killAndGoOn(what: 'line' | 'delta', n: number): Promise<void> {
  const { server, start, pipe, put, home, sessions } = await openWorld()
  await put('a.txt', 'a\n')
  let deltas = 0
  const onDelta = () => {
    if (what === 'delta' && ++deltas === n) run.kill('SIGKILL')
  }
  server.reply(...Array.from({ length: rounds.length + 1 }, () => model(onDelta)))
  const run = start(['--yolo', '-o', 'stream-json', '-s', 'mortal', 'do it'])
  if (what === 'line') {
    await run.until(new RegExp(`^(.*\n){${n}}`))
    run.kill('SIGKILL')
  }
  const { stdout } = await run.ended
  const saved = stdout
    .split('\n')
    .flatMap((line) => /^\{"type":"message","message":\{"id":"([^"]+)"/.exec(line)?.[1] ?? [])
  const file = await readFile(join(home, 'sessions', 'mortal.json'), 'utf8')
  expect(saved.filter((id) => !file.includes(`"${id}"`))).toEqual([])
  expectRun(await pipe(['-c', 'and now?']), { stdout: 'Here I am.\n', stderr: expect.any(String) })
  const [session] = await sessions()
  const kept = session?.messages.map(({ id }) => id) ?? []
  expect(kept.filter((id) => saved.includes(id))).toEqual(saved)
  expect(session?.messages.at(-1)?.content).toMatchObject([{ text: 'Here I am.' }])
}

const random = randoms(20_260_218)
const moments = Array.from({ length: 50 }, (_, i) => {
  const where = random.next().value
  return i % 2 === 0
    ? (['line', 2 + Math.floor(where * 75)] as const)
    : (['delta', 1 + Math.floor(where * 38)] as const)
})

it.each(moments)('a run killed at %s %i has lost no message it told of, and goes on', killAndGoOn)
