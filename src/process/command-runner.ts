import type { Clock } from '../clock.ts'
import type { CommandExit, CommandLine, CommandOutput, CommandRunner, Program } from '../command.ts'
import { PipeError, throwIfAborted } from '../error.ts'
import { ChildCommand } from './child-command.ts'
import { endGroup, isGroupAlive } from './group.ts'
import { Watchdog } from './watchdog.ts'

/** Most commands take less: they end by themselves, and need no watchdog. */
const lastingMs = 1_000

/**
 * Runs programs on this machine (Linux, macOS). Children that a program left in its group run on until `close`. If this process
 * ends without it, a watchdog ends what has run for a second. What makes a session of its own escapes both.
 */
export function createCommandRunner(options: { readonly clock: Clock }): CommandRunner {
  const { clock } = options
  const live = new Set<ChildCommand>()
  const leftBehind = new Set<number>()
  const endings = new Set<Promise<void>>()
  const watchdog = new Watchdog()

  const prune = (): void => {
    for (const pgid of leftBehind) {
      if (isGroupAlive(pgid)) continue
      leftBehind.delete(pgid)
      watchdog.forget(pgid)
    }
  }

  /** Ends what still runs, behind the back of whoever has lost interest. */
  const onRelease = (child: ChildCommand): void => {
    const { pid } = child
    live.delete(child)
    prune()
    if (!isGroupAlive(pid)) {
      watchdog.forget(pid)
    } else if (child.hasEnded) {
      leftBehind.add(pid)
      watchdog.watch(pid)
    } else {
      const ending = child.end().finally(() => {
        endings.delete(ending)
        watchdog.forget(pid)
      })
      endings.add(ending)
    }
  }

  const start = async (program: Program, stdin: 'empty' | 'open'): Promise<ChildCommand> => {
    const { child, pid } = await spawnGroup(program, stdin)
    const running = new ChildCommand(child, pid, { clock, onRelease })
    live.add(running)
    running.after(lastingMs, () => watchdog.watch(pid))
    return running
  }

  async function* run(
    command: CommandLine,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<CommandOutput, CommandExit, undefined> {
    throwIfAborted(signal)
    const running = await start(command, 'empty')
    const onAbort = () => void running.end()
    signal.addEventListener('abort', onAbort, { once: true })
    running.after(command.timeoutMs, () => void running.end('timeout'))
    try {
      return yield* running.output(signal)
    } finally {
      signal.removeEventListener('abort', onAbort)
      running.release()
    }
  }

  return {
    run,
    start: (program, { stdin } = { stdin: 'empty' }) => start(program, stdin),
    async close() {
      const groups = [...leftBehind].map((pgid) => endGroup(pgid, clock))
      const running = [...live].map((one) => one.end())
      await Promise.all([...groups, ...running, ...endings])
      leftBehind.clear()
      watchdog.close()
    },
  }
}

async function spawnGroup({ file, args, cwd, env }: Program, stdin: 'empty' | 'open') {
  const { spawn } = await import('node:child_process')
  const cannotStart = (error: unknown): PipeError => {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return new PipeError('tool', `cannot start ${file} in ${cwd}: ${reason}`, {
      cause: error,
      details: { file, cwd, reason },
    })
  }
  try {
    const child = spawn(file, [...args], {
      cwd,
      env,
      detached: true,
      stdio: [stdin === 'open' ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    })
    const { pid } = child
    if (pid !== undefined) return { child, pid }
    throw await new Promise((resolve) => child.once('error', resolve))
  } catch (error) {
    throw cannotStart(error)
  }
}
