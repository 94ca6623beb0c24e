import { describe, expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

/** Node's recursive mkdir never returns here. */
const nowhere = '/proc/nope'

const script = JSON.stringify({ version: 1, rounds: [{ blocks: [{ type: 'text', text: 'Hi.' }] }] })

describe.runIf(process.platform === 'linux')('a folder that cannot be made', () => {
  it.each([
    ['a prompt', ['hi'], 54],
    ['a prompt without a session', ['--no-session', '-m', 'replay/script.json', 'hi'], 0],
    ['a key', ['auth', 'set', 'openai'], 52],
  ])('is named at once if it is PIPE_HOME, for %s', async (_, args, code) => {
    const { pipe, put } = await openWorld()
    await put('script.json', script)
    const run = await pipe(args, { env: { PIPE_HOME: nowhere }, input: 'key\n' })
    expectRun(run, {
      code,
      stdout: expect.any(String),
      stderr: complaint('cannot make the folder /proc/nope'),
    })
  })

  it('does not stop a prompt if it is the temporary folder', async () => {
    const { pipe, server } = await openWorld()
    server.reply(use(['bash', { command: 'echo here' }]), say('Done.'))
    const run = await pipe(['--yolo', '--sandbox', 'off', 'go'], { env: { TMPDIR: nowhere } })
    expectRun(run, { stdout: 'Done.\n' })
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('here')
  })

  it('ends the demo, which needs a temporary folder, and is named', async () => {
    const { pipe } = await openWorld()
    const run = await pipe(['demo'], { env: { TMPDIR: nowhere } })
    expectRun(run, {
      code: 52,
      stdout: '',
      stderr: complaint('cannot make a folder in /proc/nope: no such file or folder'),
    })
  })
})
