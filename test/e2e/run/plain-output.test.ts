import { expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

it.each<[string, Readonly<Record<string, string>>]>([
  ['a stdout that is not a terminal', {}],
  ['a dumb terminal', { TERM: 'dumb' }],
  ['NO_COLOR', { TERM: 'xterm-256color', NO_COLOR: '1' }],
])('PROC-353: %s gets no escape sequence, and the run does not wait for stdin', async (_, more) => {
  const { pipe, put, server, env } = await openWorld()
  await put('a.txt', 'x\n')
  server.reply(use(['read', { path: 'a.txt' }]), say('**Done.**'))
  const run = await pipe(['-v', 'read it'], { env: { ...env, ...more } })
  expectRun(run, { stdout: '**Done.**\n', stderr: expect.stringContaining('• read a.txt') })
  expect(run.stdout + run.stderr).not.toContain('\u001b')
})
