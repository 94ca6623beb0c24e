import { rmSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import type { CommandRunner } from '../../src/machine/running-command.ts'
import { createCommandRunner } from '../../src/process/command-runner.ts'
import { killGroup, start } from '../support/programs/program.ts'
import { createSandboxedProject, hasBubblewrap, path as searchPath } from './sandboxed-project.ts'

/** Starts a service of the user that sends `hello` to whoever connects. */
async function serve(path: string): Promise<string> {
  const server = createServer((socket) => socket.end('hello'))
  await new Promise<void>((resolve) => server.listen(path, resolve))
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  return path
}

/** A line of bash that prints what a socket sends. */
function call(path: string): string {
  const script = `require('net').connect('${path}').on('error', (e) => console.log(e.code)).pipe(process.stdout)`
  return `${process.execPath} -e "${script}"`
}

/** A folder that is visible inside. It lies in `/var/tmp`, because `/tmp` is replaced there. */
async function seenFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp('/var/tmp/pipe-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe.skipIf(!hasBubblewrap)("the user's services, from inside", () => {
  it('SAND-210: answer at no socket, in any folder', async () => {
    const { bash, project, root } = await createSandboxedProject()
    for (const folder of [await seenFolder(), project, join(root, 'other')]) {
      const path = await serve(join(folder, 'agent.sock'))
      expect([path, (await bash(call(path))).stdout]).toEqual([path, 'ECONNREFUSED\n'])
    }
  })

  it('SAND-210: answer at no socket named in the environment, even if this machine does not list it', async () => {
    const folder = await seenFolder()
    const { bash } = await createSandboxedProject()
    // Binds a relative name, like a service of another container: the system's list does not show its path.
    const path = join(folder, 'agent.sock')
    const script =
      "require('net').createServer((s) => s.end('hello')).listen('agent.sock', () => console.log('up'))"
    const server = start(process.execPath, ['-e', script], { cwd: folder, env: {} })
    onTestFinished(() => killGroup(server.pid))
    await server.until(/up/)
    expect((await bash(call(path))).stdout).toBe('hello')
    for (const [name, value] of [
      ['SSH_AUTH_SOCK', path],
      ['DOCKER_HOST', `unix://${path}`],
      ['DBUS_SESSION_BUS_ADDRESS', `unix:path=${path},guid=1`],
    ] as const) {
      expect([name, (await bash(call(path), { [name]: value })).stdout]).toEqual([name, 'ECONNREFUSED\n'])
    }
  })

  it('do not keep a command from running if their socket vanishes before it starts', async () => {
    const path = await serve(join(await seenFolder(), 'agent.sock'))
    // The clock is next read after the sockets to hide were planned.
    const monotonic = () => {
      rmSync(path, { force: true })
      return systemClock.monotonic()
    }
    const { bash } = await createSandboxedProject({}, {}, { ...systemClock, monotonic })
    expect(await bash('echo done')).toEqual({ exitCode: 0, stdout: 'done\n', stderr: '' })
  })

  it.each(['run', 'start'] as const)(
    'do not keep a command from running if their socket vanishes while it starts: %s',
    async (way) => {
      const path = await serve(join(await seenFolder(), 'agent.sock'))
      const commands = createCommandRunner({ clock: systemClock })
      let attempts = 0
      // The mounts are planned, and one of them is about to fail.
      const vanish = (args: readonly string[]) => {
        if (!args.includes(path)) return
        attempts++
        rmSync(path)
      }
      const late: CommandRunner = {
        ...commands,
        prepare: () => commands.prepare(),
        run: (line, options) => {
          vanish(line.args)
          return commands.run(line, options)
        },
        start: (program, options) => {
          vanish(program.args)
          return commands.start(program, options)
        },
        removeIfKilled: (paths, claims) => commands.removeIfKilled(paths, claims),
        close: () => commands.close(),
      }
      const { sandbox, project } = await createSandboxedProject({}, {}, systemClock, late)
      const line = {
        file: 'bash',
        args: ['-c', 'echo done >> made; cat made; exit 3'],
        cwd: project,
        env: { PATH: searchPath },
      }
      const { signal } = new AbortController()
      const started = way === 'start' ? await sandbox.commands.start(line, { stdin: 'empty' }) : undefined
      const output =
        started?.output(signal) ?? sandbox.commands.run({ ...line, timeoutMs: 60_000 }, { signal })
      let text = ''
      let step = await output.next()
      for (; step.done !== true; step = await output.next()) text += Buffer.from(step.value.chunk).toString()
      started?.release()
      expect([text, step.value.exitCode, attempts]).toEqual(['done\n', 3, 1])
    },
  )

  it('of the commands themselves can be reached', async () => {
    const { bash } = await createSandboxedProject()
    const server = "require('net').createServer((s) => s.end('hello')).listen('s').unref"
    const client = "require('net').connect('s').on('end', () => process.exit()).pipe(process.stdout)"
    expect((await bash(`${process.execPath} -e "${server}; ${client}"`)).stdout).toBe('hello')
  })
})
