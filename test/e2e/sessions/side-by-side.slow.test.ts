import { mkdir, readFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { say, unfinished } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { outline } from '../../support/sessions/session-file.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'

const servers = [
  ...['openai', 'gemini', 'mistral', 'xai', 'deepseek'],
  ...['groq', 'together', 'fireworks', 'cerebras', 'nvidia'],
]

it('SESS-329: ten processes that change the same settings at once lose nothing', async () => {
  const { pipe, home, cwd } = await openWorld()
  for (const name of servers) await mkdir(join(cwd, name, '.git'), { recursive: true })
  const runs = servers.flatMap((name) => [
    pipe(['trust', '-C', name]),
    pipe(['auth', 'set', name], { input: `sk-${name}` }),
  ])
  for (const run of await Promise.all(runs))
    expectRun(run, { stdout: expect.any(String), stderr: expect.any(String) })
  const read = async (name: string) => JSON.parse(await readFile(join(home, name), 'utf8'))
  const { folders } = await read('trust.json')
  expect(Object.keys(folders).sort()).toEqual(servers.map((name) => join(cwd, name)).sort())
  const { keys } = await read('auth.json')
  expect(keys).toEqual(Object.fromEntries(servers.map((name) => [name, `sk-${name}`])))
})

it('SESS-337: other runs leave an open, idle session alone, however old its files are', async () => {
  const { pipe, start, server, home, sessions } = await openWorld()
  server.reply({ sse: unfinished({ type: 'text', text: 'Let me think' }), ending: 'hang' })
  const holder = start(['-s', 'old', '-o', 'stream-json', 'wait'])
  await holder.until(/"text_delta"/)
  const files = ['sessions/old.json', 'sessions/old.lock', 'audit/old.jsonl'].map((name) => join(home, name))
  for (const file of files) await utimes(file, 0, 0)
  server.reply(say('Hello.'), say('Hello.'), say('Hello.'))
  for (const flags of [[], ['-s', 'other'], ['-c']]) {
    expectRun(await pipe([...flags, 'hi']), { stdout: 'Hello.\n' })
  }
  expectRun(await pipe(['-s', 'old', 'hi']), { code: 42, stdout: '', stderr: complaint('--fork') })
  holder.kill('SIGTERM')
  await holder.ended
  const old = (await sessions()).find(({ id }) => id === 'old')
  expect(old && outline(old)).toEqual([
    'user: wait',
    expect.stringMatching(/^assistant: Let me.* \[aborted\]$/),
  ])
})

it('ten processes write one session in turn or are refused by the name of the writer, and nothing is lost', async () => {
  const { start, server, sessions } = await openWorld()
  let writing = 0
  const reply: FakeReply = async ({ closed }, response) => {
    expect(++writing).toBe(1)
    void closed.then(() => writing--)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(replyEvents([{ type: 'text', text: 'Noted.' }]).join(''))
  }
  server.reply(...Array.from({ length: 10 }, () => reply))
  const started = Array.from({ length: 10 }, (_, i) => {
    const patience = i % 2 === 0 ? ['--wait-lock', '10m'] : []
    return { said: `number ${i}`, patience, run: start(['-s', 'shared', ...patience, `number ${i}`]) }
  })
  const kept: string[] = []
  for (const { said, patience, run } of started) {
    const ended = await run.ended
    if (ended.code === 0) kept.push(`user: ${said}`)
    if (ended.code === 0 || patience.length > 0) expectRun(ended, { stdout: 'Noted.\n' })
    else {
      expectRun(ended, {
        code: 42,
        stdout: '',
        stderr: complaint('session shared is being written by process'),
      })
      const [, holder] = /by process (\d+) on/.exec(ended.stderr) ?? []
      expect(started.map(({ run: { pid } }) => String(pid))).toContain(holder)
    }
  }
  const [shared] = await sessions()
  const lines = shared === undefined ? [] : outline(shared)
  expect(lines.filter((_, i) => i % 2 === 0).sort()).toEqual(kept)
  expect(lines.filter((_, i) => i % 2 === 1)).toEqual(kept.map(() => 'assistant: Noted.'))
  expect(kept.length).toBeGreaterThanOrEqual(5)
})
