import type { ChildProcess } from 'node:child_process'
import type { Clock } from '../clock.ts'
import type { CommandExit, CommandLine, CommandOutput, CommandRunner } from '../command.ts'
import { PipeError, throwIfAborted } from '../error.ts'
import { endGroup, isGroupAlive } from './group.ts'
import { RunningCommand } from './running-command.ts'

/** Runs programs on this machine (Linux, macOS). Children that a program left in its group run on until `close`. */
export function createCommandRunner(options: { readonly clock: Clock }): CommandRunner {
  const { clock } = options
  const live = new Set<RunningCommand>()
  const leftBehind = new Set<number>()
  const endings = new Set<Promise<void>>()

  /** Ends what still runs, behind the back of whoever has lost interest. */
  const finish = (running: RunningCommand): void => {
    live.delete(running)
    const group = running.release()
    for (const pgid of leftBehind) if (!isGroupAlive(pgid)) leftBehind.delete(pgid)
    if (group === undefined) return
    if (running.result !== undefined) {
      leftBehind.add(group)
      return
    }
    const ending = running.end().finally(() => endings.delete(ending))
    endings.add(ending)
  }

  async function* run(
    command: CommandLine,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<CommandOutput, CommandExit, undefined> {
    throwIfAborted(signal)
    const running = new RunningCommand(await start(command), command.timeoutMs, clock)
    live.add(running)
    const onAbort = (): void => {
      void running.end()
      running.wake()
    }
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      for (;;) {
        throwIfAborted(signal)
        const output = running.shift()
        if (output !== undefined) yield output
        else if (running.failure !== undefined) throw cannotStart(command, running.failure)
        else if (running.result !== undefined) return running.result
        else await running.changed()
      }
    } finally {
      signal.removeEventListener('abort', onAbort)
      finish(running)
    }
  }

  return {
    run,
    async close() {
      const groups = [...leftBehind].map((pgid) => endGroup(pgid, clock))
      const running = [...live].map((one) => one.end())
      await Promise.all([...groups, ...running, ...endings])
      leftBehind.clear()
    },
  }
}

async function start(command: CommandLine): Promise<ChildProcess> {
  const { spawn } = await import('node:child_process')
  try {
    return spawn(command.file, [...command.args], {
      cwd: command.cwd,
      env: command.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    throw cannotStart(command, error)
  }
}

/** `details.reason` is the system's word: ENOENT where the program or the folder is missing, E2BIG where the line is too long. */
function cannotStart(command: CommandLine, error: unknown): PipeError {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return new PipeError('tool', `cannot start ${command.file} in ${command.cwd}: ${reason}`, {
    cause: error,
    details: { file: command.file, cwd: command.cwd, reason },
  })
}
