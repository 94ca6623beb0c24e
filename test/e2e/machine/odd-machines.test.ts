import { existsSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FakeServer } from '../../support/models/fake-server.ts'
import { lastText, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

const run = ['--permission-mode', 'bypass', 'run it']

function last({ server }: World): FakeServer['requests'][number]['body'] {
  return server.requests.at(-1)?.body ?? expect.fail('nothing was asked')
}

function runsCommand({ server }: World): void {
  server.reply(use(['bash', { command: 'echo it ran' }]), say('Done.'))
}

describe('a machine without bash', () => {
  it('is told at the start, and the model gets an error result', async () => {
    const world = await openWorld()
    const small = join(world.temp, 'small')
    await mkdir(small)
    for (const path of [process.execPath, '/bin/sh', '/usr/bin/env', '/usr/bin/mkfifo'])
      if (existsSync(path)) await symlink(path, join(small, path.split('/').at(-1) ?? ''))
    runsCommand(world)
    expectRun(await world.pipe(run, { env: { PATH: small } }), {
      stdout: 'Done.\n',
      stderr: complaint('bash is not installed, so the model cannot run commands: install the package bash'),
    })
    expect(lastText(last(world))).toBe(
      'tool: there is no bash on this machine, so no command can run until the user installs it',
    )
  })
})

describe('a folder of the system', () => {
  it.each(['/', '/usr', '/usr/bin'])(
    'runs the programs of the system when it is the working folder: %s',
    async (cwd) => {
      const world = await openWorld()
      runsCommand(world)
      expectRun(await world.pipe(run, { cwd }), { stdout: 'Done.\n' })
      expect(lastText(last(world))).toBe('tool: it ran')
    },
  )

  it('runs them when it is added', async () => {
    const world = await openWorld()
    runsCommand(world)
    expectRun(await world.pipe(['--add-dir', '/usr', ...run]), { stdout: 'Done.\n' })
    expect(lastText(last(world))).toBe('tool: it ran')
  })

  it('has no sandbox, which would let commands replace those programs', async () => {
    const world = await openWorld()
    world.server.reply(say('Hello.'))
    const asked = await world.pipe(['--permission-mode', 'auto', 'hi'], { cwd: dirname('/usr') })
    expectRun(asked, { stdout: 'Hello.\n', stderr: complaint('auto asks like default') })
  })
})
