import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { textContent } from '../../../src/message.ts'
import { save } from '../../json/folder.ts'
import { sessionId } from '../../json/session-id.ts'
import { deferred } from '../../support/clocks/deferred.ts'
import { earlier, long, talked } from '../../support/messages/histories.ts'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { outlineRequest, say } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { outline } from '../../support/sessions/session-file.ts'

const history = earlier(
  ...talked('One?', long(8_000, 'a')),
  ...talked('Two?', long(8_000, 'b')),
  ...talked('Three?', long(100, 'c')),
)
const settings = (baseUrl: string) => ({
  model: 'fake/model-1',
  providers: { fake: { dialect: 'openai-chat', base_url: baseUrl } },
  models: { 'fake/model-1': { context_window: 16_000 } },
})
const flags = ['-m', 'fake/model-1', '-s', 'old']
const summary = '[The conversation before this, as a summary]\n\nThey counted.'

it.each([
  ['while the summary is requested', 0],
  ['after the summary has arrived', 1],
] as const)('SESS-339: a run killed with -9 %s loses nothing and can continue', async (_, summaries) => {
  const { server, start, pipe, home, sessions, configure } = await openWorld()
  await configure(settings(server.baseUrl))
  const file = await save(join(home, 'sessions'), history, sessionId('old'))
  const before = (await readFile(file, 'utf8')).replace(/\n\],\n[\s\S]*/, '')
  const asked = deferred()
  const silence: FakeReply = async ({ closed }) => {
    asked.resolve()
    await closed
  }
  server.reply(...Array.from({ length: summaries }, () => say('They counted.')), silence)
  const run = start([...flags, 'Four?'])
  await asked.promise
  run.kill('SIGKILL')
  expect((await run.ended).signal).toBe('SIGKILL')
  expect((await readFile(file, 'utf8')).startsWith(before)).toBe(true)
  server.reply(...Array.from({ length: 1 - summaries }, () => say('They counted.')), say('Five.'))
  expectRun(await pipe([...flags, 'Five?']), { stdout: 'Five.\n' })
  const [last] = server.requests.slice(-1)
  expect(last && outlineRequest(last.body).slice(1)).toEqual([
    `user: ${summary}\n\nThree?`,
    `assistant: ${long(100, 'c')}`,
    expect.stringMatching(/^user: [\s\S]*Four\?[\s\S]*Five\?$/),
  ])
  const [whole] = await sessions()
  const mark = `user: ${summary}`
  expect(whole && outline(whole)).toEqual([
    ...history.map(({ type, content }) => `${type}: ${textContent({ content })}`),
    ...[
      'user: Four?',
      ...(summaries === 0 ? ['user: Five?', mark] : [mark, 'user: Five?']),
      'assistant: Five.',
    ],
  ])
})

it('asks the model of the route called summary, and the conversation’s own if that fails', async () => {
  const { server, pipe, home, configure } = await openWorld()
  await configure({ ...settings(server.baseUrl), routes: { summary: 'fake/cheap' } })
  await save(join(home, 'sessions'), history, sessionId('old'))
  server.reply(
    { status: 404, body: '{"error":{"message":"no such model"}}' },
    say('They counted.'),
    say('Four.'),
  )
  expectRun(await pipe([...flags, '-v', 'Four?']), {
    stdout: 'Four.\n',
    stderr: expect.stringMatching(
      /^pipe: no summary: .*no such model.*; fake\/model-1 continues for fake\/cheap\npipe: summarised the conversation, \d+ to \d+ tokens\n/,
    ),
  })
  expect(server.requests.map(({ body }) => body.model)).toEqual(['cheap', 'model-1', 'model-1'])
})

it('sends a full context as it is if compaction.auto is false, and an overflow ends the run with 42', async () => {
  const { server, pipe, home, configure } = await openWorld()
  await configure({ ...settings(server.baseUrl), compaction: { auto: false } })
  await save(join(home, 'sessions'), history, sessionId('old'))
  server.reply({
    status: 400,
    body: '{"error":{"type":"invalid_request_error","message":"prompt is too long"}}',
  })
  expectRun(await pipe([...flags, '-q', 'Four?']), {
    code: 42,
    stdout: '',
    stderr: complaint(
      /; compaction\.auto is off: summarise the conversation with \/compact, or choose a model/,
    ),
  })
  expect(server.requests).toHaveLength(1)
})

it('summarises the session for the prompt /compact, and sends it to no model as a message', async () => {
  const { server, pipe, home, sessions, configure } = await openWorld()
  await configure(settings(server.baseUrl))
  await save(join(home, 'sessions'), history, sessionId('old'))
  expectRun(await pipe([...flags, '/compact'], { input: 'some data' }), {
    code: 2,
    stdout: '',
    stderr: complaint(/\/compact takes no files and no input/),
  })
  for (const [command, ...demand] of [
    ['/compact', '--yes-no'],
    ['/compact', '--check', 'false'],
    ['/cost', '--check', 'false'],
  ] as const)
    expectRun(await pipe([...flags, ...demand, command]), {
      code: 2,
      stdout: '',
      stderr: complaint(new RegExp(`${command} has no answer to check: drop --check,`)),
    })
  server.reply(say('They counted.'))
  const run = await pipe([...flags, '-o', 'json', '/compact keep the numbers'])
  expect(JSON.parse(run.stdout)).toMatchObject({ exit_code: 0, result: '', rounds: 0 })
  expect(server.requests.map(({ body }) => JSON.stringify(body.messages).includes('the numbers'))).toEqual([
    true,
  ])
  const [whole] = await sessions()
  expect(whole && outline(whole).slice(history.length)).toEqual([`user: ${summary}`])
})

it('says that there is nothing to summarise yet', async () => {
  const { server, pipe, configure } = await openWorld()
  await configure(settings(server.baseUrl))
  expectRun(await pipe(['-m', 'fake/model-1', '/compact']), {
    code: 42,
    stdout: '',
    stderr: complaint(/nothing to summarise yet/),
  })
  expect(server.requests).toEqual([])
})
