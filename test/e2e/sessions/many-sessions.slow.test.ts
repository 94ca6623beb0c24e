import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { save } from '../../json/folder.ts'
import { sessionId } from '../../json/session-id.ts'
import { assistant, call, messageId, text, toolResult, user } from '../../support/messages/messages.ts'
import { lastText, outlineRequest, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

const long = '01960000-0000-7000-8000-000000000000'

it('SESS-332: continues a session of 50 MB among 10,000 in less than 300 MB of memory', async () => {
  const { pipe, shell, home, cwd, server } = await openWorld()
  const folder = join(home, 'sessions')
  const output = toolResult('tc_1', text('a row of what a tool has put out\n'.repeat(1_600)))
  const rounds = Array.from({ length: 1_000 }, () => [assistant(call('tc_1')), output]).flat()
  const last = { ...assistant(text('Done.')), id: messageId(9) }
  const summary = {
    ...user(text('It was long.')),
    id: messageId(10),
    metadata: { compacted_through: messageId(9) },
  }
  await save(folder, [user(text('begin')), ...rounds, last, summary], sessionId(long))
  const short = readFileSync(await save(folder, [user(text('hello'))], sessionId('s00000')), 'utf8')
  const content = short.replace('/home/ada', cwd)
  const names = Array.from({ length: 10_000 }, (_, i) => `s${String(i).padStart(5, '0')}`)
  for (const name of names) writeFileSync(join(folder, `${name}.json`), content)

  const newest = await shell('pipe sessions | head -n 1')
  expectRun(newest, { stdout: expect.stringMatching(/^s09999 .* hello\n$/) })

  server.reply(use(['bash', { command: 'grep VmHWM /proc/$PPID/status' }]), say('It was.'))
  expectRun(await pipe(['--yolo', '-m', 'fake/model-1', '-r', long, 'was it?']), {
    stdout: 'It was.\n',
    // Its folder is that of the samples.
    stderr: complaint('belongs to'),
  })
  const [first, second] = server.requests.map(({ body }) => body)
  expect(first && outlineRequest(first).slice(1)).toEqual([
    expect.stringMatching(/^user: It was long\.[\s\S]*was it\?$/),
  ])
  const [, kilobytes] = /^tool: VmHWM:\s+(\d+) kB$/.exec(second === undefined ? '' : lastText(second)) ?? []
  expect(Number(kilobytes) / 1_024).toBeLessThan(300)
})
