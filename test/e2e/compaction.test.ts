import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { textContent } from '../../src/message.ts'
import { save } from '../json/folder.ts'
import { sessionId } from '../json/session-id.ts'
import { deferred } from '../support/deferred.ts'
import type { FakeReply } from '../support/fake-server.ts'
import { earlier, long, talked } from '../support/histories.ts'
import { expectRun } from '../support/program.ts'
import { outlineRequest, say } from '../support/replies.ts'
import { outline } from '../support/session-file.ts'
import { openWorld } from '../support/world.ts'

const history = earlier(
  ...talked('One?', long(8_000, 'a')),
  ...talked('Two?', long(8_000, 'b')),
  ...talked('Three?', long(100, 'c')),
)
const summary = '[The conversation before this, as a summary]\n\nThey counted.'

it.each([
  ['while the summary is requested', 0],
  ['after the summary has arrived', 1],
] as const)('SESS-339: a run killed with -9 %s loses nothing and can continue', async (_, summaries) => {
  const { server, start, pipe, home, sessions, configure } = await openWorld()
  await configure({
    model: 'fake/model-1',
    providers: { fake: { dialect: 'openai-chat', base_url: server.baseUrl } },
    models: { 'fake/model-1': { context_window: 16_000 } },
  })
  const file = await save(join(home, 'sessions'), history, sessionId('old'))
  const before = (await readFile(file, 'utf8')).replace(/\n\],\n[\s\S]*/, '')
  const asked = deferred()
  const silence: FakeReply = async ({ closed }) => {
    asked.resolve()
    await closed
  }
  server.reply(...Array.from({ length: summaries }, () => say('They counted.')), silence)
  const flags = ['-m', 'fake/model-1', '-s', 'old']
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
