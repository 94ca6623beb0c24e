import { describe, expect, it } from 'vitest'
import { outlineRequest, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun, type Run } from '../../support/programs/program.ts'
import { isOneFile, openWorld } from '../../support/programs/world.ts'

// The runtime of the one-file build says so itself, and ends with 1, before any of pipe runs.
describe.skipIf(isOneFile)('in a folder that was removed', () => {
  const inRemoved = (command: string) => `mkdir gone && cd gone && rmdir ../gone && ${command}`
  /** Removes a remark about the folder that the shell may print before pipe starts. */
  const ownWords = (run: Run) => ({ ...run, stderr: run.stderr.replace(/^.*getcwd.*\n/, '') })

  it.each(['pipe hi', 'pipe sessions', 'pipe doctor', 'pipe demo'])('%s says so', async (command) => {
    const { shell, server } = await openWorld()
    const stderr = complaint(
      'the folder that pipe was started in is gone, or you may not enter it; start pipe in another, or name one with -C DIR',
    )
    expectRun(ownWords(await shell(inRemoved(command))), { code: 52, stdout: '', stderr })
    expect(server.requests).toEqual([])
  })

  it.each(['pipe --help', 'pipe --help --json', 'pipe --version', 'pipe -p -V', 'pipe schema session'])(
    '%s works as usual',
    async (command) => {
      const { shell } = await openWorld()
      const { stdout } = await shell(command)
      expectRun(ownWords(await shell(inRemoved(command))), { stdout })
      expect(stdout).not.toBe('')
    },
  )

  it('pipe -C runs in the folder that it names', async () => {
    const { shell, put, server, cwd } = await openWorld()
    await put('a.txt', 'hello\n')
    server.reply(use(['glob', { pattern: '**/*.txt' }], ['bash', { command: 'pwd' }]), say('Hello.'))
    expectRun(ownWords(await shell(inRemoved(`pipe --yolo -C ${cwd} hi`))), { stdout: 'Hello.\n' })
    const [first, second] = server.requests.map(({ body }) => outlineRequest(body))
    expect(first?.at(-1)).toContain(`working directory: ${cwd}\n`)
    expect(second?.slice(-2)).toEqual(['tool: a.txt', `tool: ${cwd}`])
  })
})

describe('-C', () => {
  it.each([
    ['nowhere', 'there is no such folder'],
    ['a.txt', 'it is a file, not a folder'],
    ['a.txt/within', 'it is a file, not a folder'],
  ])('%s is refused', async (folder, reason) => {
    const { pipe, put, server } = await openWorld()
    await put('a.txt', '')
    expectRun(await pipe(['-C', folder, 'hi']), {
      code: 2,
      stdout: '',
      stderr: complaint(`-C ${folder}: ${reason}`),
    })
    expect(server.requests).toEqual([])
  })
})
