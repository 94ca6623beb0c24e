import type { StdioOptions } from 'node:child_process'
import { closeSync, existsSync } from 'node:fs'
import type { Clock } from '../clock.ts'
import type { CommandExit, CommandLine, CommandOutput, CommandRunner, Program } from '../command.ts'
import { PipeError, throwIfAborted } from '../error.ts'
import { present } from '../present.ts'
import { ChildCommand, type StartedChild } from './child-command.ts'
import { endGroup, isGroupAlive, isGroupLeft } from './group.ts'
import { type OutputPipe, OutputPipes } from './output-pipes.ts'
import { Watchdog } from './watchdog.ts'

/** Most commands take less: they end by themselves, and no watchdog has to be started for them. */
const lastingMs = 250

export interface RunnerOptions {
  readonly clock: Clock
  /**
   * A folder of its own for the pipes that started programs write to (see `OutputPipes`), made when first needed and removed by
   * `close`. Default: they get sockets.
   */
  readonly pipesDir?: string
  /** A folder that the caller removes at its end. If this process is killed, the watchdog does. */
  readonly scratch?: string
}

/**
 * Runs programs on this machine (Linux, macOS). Children that a program left in its group run on until `close`. If this process
 * ends without it, a watchdog ends what has run for a quarter of a second, and sooner where it is there already. A daemon (what has a session of
 * its own and outlived who started it) escapes both.
 */
export function createCommandRunner({ clock, pipesDir, scratch }: RunnerOptions): CommandRunner {
  const pipes = pipesDir === undefined ? undefined : new OutputPipes(pipesDir)
  const live = new Set<ChildCommand>()
  const leftBehind = new Set<number>()
  const beginnings = new Set<Promise<ChildCommand>>()
  const endings = new Set<Promise<void>>()
  const watchdog = new Watchdog()

  const prune = (): void => {
    for (const pgid of leftBehind) {
      if (isGroupLeft(pgid)) continue
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
      // It may be younger than what is watched.
      watch(pid)
      const ending = child.end().finally(() => {
        endings.delete(ending)
        watchdog.forget(pid)
      })
      endings.add(ending)
    }
  }

  const watch = (pgid: number): void => {
    watchdog.watch(pgid)
    // Also where it is not there yet: the command may be what it is made for.
    if (scratch !== undefined) watchdog.removeTree(scratch)
    if (pipes?.isMade === true) watchdog.removeTree(pipes.folder)
  }

  /** The younger ones too: it costs no more. */
  const watchAll = (): void => {
    for (const { pid } of live) watch(pid)
  }

  const adopt = (started: StartedChild): ChildCommand => {
    const running = new ChildCommand(started, { clock, onRelease })
    live.add(running)
    if (scratch !== undefined && existsSync(scratch)) watchdog.removeTree(scratch)
    if (watchdog.isAwake) watch(running.pid)
    else running.after(lastingMs, watchAll)
    return running
  }

  const begin = (spawning: Promise<StartedChild>): Promise<ChildCommand> => {
    const beginning = spawning.then(adopt).finally(() => beginnings.delete(beginning))
    beginnings.add(beginning)
    return beginning
  }

  const spawnWithPipe = async (program: Program, stdin: Ends['stdin']): Promise<StartedChild> =>
    spawnGroup(program, { stdin, ...present({ pipe: await pipes?.open() }) })

  async function* run(
    command: CommandLine,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<CommandOutput, CommandExit, undefined> {
    throwIfAborted(signal)
    const running = await begin(spawnGroup(command, { stdin: 'empty' }))
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
    prepare: () => pipes?.prepare(),
    start: (program, { stdin } = { stdin: 'empty' }) => begin(spawnWithPipe(program, stdin)),
    removeIfKilled: (paths, claims) => watchdog.removeEmpty(paths, claims),
    async close() {
      await Promise.allSettled(beginnings)
      prune()
      const groups = [...leftBehind].map((pgid) => endGroup(pgid, clock))
      const running = [...live].map((one) => one.end())
      await Promise.all([...groups, ...running, ...endings])
      leftBehind.clear()
      await pipes?.close()
      watchdog.close()
    },
  }
}

interface Ends {
  readonly stdin: 'empty' | 'open'
  /** For stdout and stderr. */
  readonly pipe?: OutputPipe
}

async function spawnGroup(program: Program, { stdin, pipe }: Ends): Promise<StartedChild> {
  const { spawn } = await import('node:child_process')
  const { file, args, cwd, env } = program
  const output = pipe?.writer ?? 'pipe'
  try {
    const stdio: StdioOptions = [stdin === 'open' ? 'pipe' : 'ignore', output, output]
    const child = spawn(file, [...args], { cwd, env, detached: true, stdio })
    const { pid } = child
    const sources = pipe === undefined ? child : { stdout: pipe.source, stderr: null }
    if (pid !== undefined) return { child, pid, sources }
    throw await new Promise((resolve) => child.once('error', resolve))
  } catch (error) {
    pipe?.source.destroy()
    throw cannotStart(program, error)
  } finally {
    if (pipe !== undefined) closeSync(pipe.writer)
  }
}

function cannotStart({ file, cwd }: Program, error: unknown): PipeError {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return new PipeError('tool', `cannot start ${file} in ${cwd}: ${reason}`, {
    cause: error,
    details: { file, cwd, reason },
  })
}
