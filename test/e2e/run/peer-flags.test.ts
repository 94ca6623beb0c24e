import { describe, expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

describe('--tools', () => {
  it.each([
    ['Read,Grep', ['grep', 'read']],
    ['bash edit', ['bash', 'edit']],
    ['', []],
  ])('%j gives the model these alone', async (names, tools) => {
    const { pipe, server } = await openWorld()
    server.reply(say('Done.'))
    expectRun(await pipe(['--tools', names, 'go']), { stdout: 'Done.\n' })
    expect((server.requests[0]?.body.tools ?? []).map((tool) => tool.function.name).sort()).toEqual(tools)
  })

  it('refuses a name that no tool has', async () => {
    const { pipe } = await openWorld()
    expectRun(await pipe(['--tools', 'Read,Teleport', 'go']), {
      code: 2,
      stdout: '',
      stderr: complaint('--tools: there is no tool "Teleport" (see pipe --help)'),
    })
  })
})

describe('a flag of other agents', () => {
  it('keeps no session by --no-session-persistence and --ephemeral', async () => {
    const { pipe, server, sessions } = await openWorld()
    server.reply(say('One.'), say('Two.'))
    expectRun(await pipe(['--no-session-persistence', 'go']), { stdout: 'One.\n' })
    expectRun(await pipe(['--ephemeral', 'go']), { stdout: 'Two.\n' })
    expect(await sessions()).toEqual([])
  })

  it('names a session by --session-id, and copies it by --fork-session', async () => {
    const { pipe, server, sessions } = await openWorld()
    server.reply(say('One.'), say('Two.'))
    const id = '0190ab12-7c3d-7e4f-8a5b-6c7d8e9f0a1b'
    expectRun(await pipe(['--session-id', id, 'go']), { stdout: 'One.\n' })
    expectRun(await pipe(['-r', id, '--fork-session', 'go on']), { stdout: 'Two.\n' })
    expect((await sessions()).map(({ messages }) => messages.length).sort()).toEqual([2, 4])
  })

  it('copies no session without one to copy', async () => {
    const { pipe } = await openWorld()
    expectRun(await pipe(['--fork-session', 'go']), {
      code: 2,
      stdout: '',
      stderr: complaint('--fork-session needs -r or -c: it copies a session (see pipe --help)'),
    })
  })

  it('limits the cost by --max-budget-usd', async () => {
    const { pipe } = await openWorld()
    expectRun(await pipe(['--max-budget-usd', '0', 'go']), {
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--max-cost takes US dollars, above 0'),
    })
  })

  it('lets another model go on by --fallback-model', async () => {
    const { pipe, server } = await openWorld()
    server.reply({ status: 402, body: '{"error":{"message":"out of credits"}}' }, say('From the other.'))
    const run = await pipe(['--fallback-model', 'fake/other', 'go'])
    expectRun(run, { stdout: 'From the other.\n', stderr: expect.stringContaining('fake/other') })
  })
})
