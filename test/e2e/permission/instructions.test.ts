import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

it('in a binary file are a warning, and CLAUDE.md is read instead', async () => {
  const { pipe, server, cwd } = await openWorld()
  server.reply(say('Fine.'))
  await writeFile(join(cwd, 'AGENTS.md'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0, 1]))
  await writeFile(join(cwd, 'CLAUDE.md'), 'Use tabs.')
  expectRun(await pipe(['hi']), { stdout: 'Fine.\n', stderr: 'pipe: AGENTS.md is skipped: it is binary\n' })
  expect(JSON.stringify(server.requests[0]?.body)).toContain('Use tabs.')
})

it('that are cut are named with -v alone', async () => {
  const { pipe, server, cwd } = await openWorld()
  await writeFile(join(cwd, 'AGENTS.md'), Buffer.from(`\ufeff${'Use tabs. '.repeat(4_000)}`, 'utf16le'))
  server.reply(say('Fine.'))
  expectRun(await pipe(['hi']), { stdout: 'Fine.\n' })
  server.reply(say('Fine.'))
  const { stderr } = await pipe(['-v', 'hi'])
  expect(stderr).toContain(
    'pipe: AGENTS.md is cut after 32767 bytes: the limit for instructions is 32 KiB in all\n',
  )
  expect(JSON.stringify(server.requests[0]?.body)).toContain('Use tabs. Use tabs.')
})
