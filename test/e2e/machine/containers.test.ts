import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { say, unfinished } from '../../support/models/replies.ts'
import { complaint, expectRun, killGroup, type Running, start } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { outline } from '../../support/sessions/session-file.ts'

type Skip = (why: string) => never

/** Flags of `unshare` for a container that shares the host name and files, but not the processes. */
const unshare = ['--pid', '--fork', '--kill-child', '--mount-proc']

interface Container extends Running {
  /** Sends a signal to the program in the container. */
  signal(name: NodeJS.Signals): void
}

/** Runs pipe as process 1 of a container. */
function contain({ cwd, env }: World, skip: Skip, ...args: readonly string[]): Container {
  if (spawnSync('unshare', [...unshare, 'true']).status !== 0) skip('no PID namespace may be made here')
  const running = start('unshare', [...unshare, 'pipe', ...args], { cwd, env })
  onTestFinished(() => killGroup(running.pid))
  const program = () => Number(readFileSync(`/proc/${running.pid}/task/${running.pid}/children`, 'utf8'))
  return {
    ...running,
    signal: (name) => process.kill(program(), name),
    ended: running.ended,
    until: running.until,
  }
}

/** Sets the heartbeat of a session's lock back, as if time had passed. */
async function letTimePass({ home }: World): Promise<void> {
  await utimes(join(home, 'sessions/shared.lock'), new Date(), new Date(Date.now() - 30_000))
}

const hangs: FakeReply = { sse: unfinished({ type: 'text', text: 'Let me think' }), ending: 'hang' }

async function outlineOf(world: World): Promise<readonly string[]> {
  const [only] = await world.sessions()
  return only === undefined ? [] : outline(only)
}

async function expectWhole(world: World): Promise<void> {
  expectRun(await world.pipe(['audit', 'verify', 'shared']), {
    stdout: expect.stringContaining('lines, unchanged'),
  })
  expect(readdirSync(join(world.home, 'sessions'))).toEqual(['shared.json'])
}

describe('two containers with one host name', () => {
  it('never write one session: the second reports who holds it, where, and what to do', async ({ skip }) => {
    const world = await openWorld()
    const { server, home } = world
    server.reply(hangs)
    const first = contain(world, skip, '-s', 'shared', '-o', 'stream-json', 'wait')
    await first.until(/"text_delta"/)
    const second = await contain(world, skip, '-s', 'shared', 'hi').ended
    const holder = `process 1 on another container or machine also called ${hostname()}, for`
    expectRun(second, {
      code: 42,
      stdout: '',
      stderr: complaint(`session shared is being written by ${holder}`),
    })
    expect(second.stderr).toContain(join(home, 'sessions/shared.lock'))
    expect(second.stderr).toContain('--wait-lock 30s')
    expect(second.stderr).toContain('--fork')
    first.signal('SIGTERM')
    expect((await first.ended).code).toBe(143)
    server.reply(say('Hello.'))
    expectRun(await contain(world, skip, '-s', 'shared', 'hi').ended, { stdout: 'Hello.\n' })
    expect(await outlineOf(world)).toEqual([
      'user: wait',
      expect.stringMatching(/^assistant: Let me.* \[aborted\]$/),
      'user: hi',
      'assistant: Hello.',
    ])
    await expectWhole(world)
  })

  it('the lock of a killed container expires with its heartbeat, and --wait-lock waits for that', async ({
    skip,
  }) => {
    const world = await openWorld()
    const { server } = world
    server.reply(hangs)
    const first = contain(world, skip, '-s', 'shared', '-o', 'stream-json', 'wait')
    await first.until(/"text_delta"/)
    first.signal('SIGKILL')
    await first.ended
    // Not in a container: a new one may get the namespace number of the old, and then sees at once that the holder is gone.
    expectRun(await world.pipe(['-s', 'shared', 'hi']), {
      code: 42,
      stdout: '',
      stderr: complaint('last sign of life'),
    })
    server.reply(say('Hello.'))
    const second = world.start(['-s', 'shared', '--wait-lock', '10m', 'hi'])
    await letTimePass(world)
    expectRun(await second.ended, { stdout: 'Hello.\n' })
    expect(await outlineOf(world)).toEqual(['user: wait', 'user: hi', 'assistant: Hello.'])
    await expectWhole(world)
  })

  it('a stopped container whose session was taken over writes nothing more', async ({ skip }) => {
    const world = await openWorld()
    const { server } = world
    let finish: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      finish = resolve
    })
    server.reply(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(unfinished({ type: 'text', text: 'Let me think' }))
      await held
      response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
    })
    const first = contain(world, skip, '-s', 'shared', '-o', 'stream-json', 'wait')
    await first.until(/"text_delta"/)
    first.signal('SIGSTOP')
    await letTimePass(world)
    server.reply(say('Hello.'))
    expectRun(await contain(world, skip, '-s', 'shared', 'hi').ended, { stdout: 'Hello.\n' })
    finish()
    first.signal('SIGCONT')
    const { code, stderr } = await first.ended
    expect([code, stderr]).toEqual([42, complaint('session shared can no longer be written')])
    expect(stderr).toContain('--fork shared')
    expect(await outlineOf(world)).toEqual(['user: wait', 'user: hi', 'assistant: Hello.'])
    await expectWhole(world)
  })
})

/** Whether a process has a handler for a signal. Reads `/proc`. */
function catches(pid: number, signal: number): boolean {
  const [, mask = '0'] = /^SigCgt:\t(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return (BigInt(`0x${mask}`) & (1n << BigInt(signal - 1))) !== 0n
}

it.skipIf(!existsSync('/proc/self/status'))('--wait-lock ends at once on a signal', async () => {
  const world = await openWorld()
  world.server.reply(hangs)
  const first = world.start(['-s', 'shared', '-o', 'stream-json', 'wait'])
  await first.until(/"text_delta"/)
  const second = world.start(['-s', 'shared', '--wait-lock', '10m', '-o', 'json', 'hi'])
  // Node itself handles TERM; the program installs its handler for HUP last.
  const isUp = () => catches(second.pid, 1) && catches(second.pid, 15)
  await expect.poll(isUp, { timeout: 10_000 }).toBe(true)
  second.kill('SIGTERM')
  expect((await second.ended).code).toBe(143)
  first.kill('SIGTERM')
  await first.ended
})

it('--wait-lock continues when the other process ends', async () => {
  const world = await openWorld()
  world.server.reply(hangs)
  const first = world.start(['-s', 'shared', '-o', 'stream-json', 'wait'])
  await first.until(/"text_delta"/)
  world.server.reply(say('Hello.'))
  const second = world.start(['-s', 'shared', '--wait-lock', '10m', 'hi'])
  first.kill('SIGTERM')
  await first.ended
  expectRun(await second.ended, { stdout: 'Hello.\n' })
})
