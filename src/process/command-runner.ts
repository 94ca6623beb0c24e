import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Clock } from '../clock.ts'
import { throwIfAborted } from '../error.ts'
import type {
  CommandExit,
  CommandLine,
  CommandOutput,
  CommandRunner,
  ProgramCall,
  StartOptions,
} from '../machine/running-command.ts'
import { ChildCommand, type StartedChild } from './child-command.ts'
import { endGroup, isGroupAlive, isGroupLeft } from './group.ts'
import { OutputPipes } from './output-pipes.ts'
import { findProgram } from './search-path.ts'
import { cannotStart, type LocatedProgram, spawnGroup } from './spawn-group.ts'
import { systemPath } from './system-path.ts'
import { Watchdog } from './watchdog.ts'

/** Most programs finish within this time and need no watchdog. Those from `start` get it at once. */
const lastingMs = 250

export interface RunnerOptions {
  readonly clock: Clock
  /** Absolute folders from which no program is started by name. Default: none. */
  readonly projectFolders?: readonly string[]
  /**
   * A separate folder for the pipes that started programs write to (see `OutputPipes`), created on first use and removed by `close`.
   * Default: programs get sockets.
   */
  readonly pipesDir?: string
  /** A folder that the caller removes at its end, or the watchdog if this process is killed. */
  readonly scratch?: string
}

/**
 * Runs programs on this machine (Linux, macOS). Children left in a program's group run on until `close`, or until the watchdog ends
 * them after this process died. A daemon, with its own session and a dead parent, escapes both.
 */
export function createCommandRunner(options: RunnerOptions): CommandRunner {
  const { clock, projectFolders = [], pipesDir, scratch } = options
  const pipes = pipesDir === undefined ? undefined : new OutputPipes(pipesDir)
  const live = new Set<ChildCommand>()
  const leftBehind = new Set<number>()
  const beginnings = new Set<Promise<ChildCommand>>()
  const endings = new Set<Promise<void>>()
  const watchdog = new Watchdog()

  const located = new Map<string, string>()
  /** Resolves a program to its file's path, looked up once. */
  const locate = (program: ProgramCall): LocatedProgram => {
    const { file: name, env } = program
    if (isAbsolute(name)) return { ...program, name }
    const path = env['PATH'] ?? systemPath
    const file = located.get(`${name}:${path}`) ?? findProgram(name, path, projectFolders)
    if (file === undefined) throw cannotStart(program, 'ENOENT')
    located.set(`${name}:${path}`, file)
    return { ...program, name, file }
  }

  const prune = (): void => {
    for (const pgid of leftBehind) {
      if (isGroupLeft(pgid)) continue
      leftBehind.delete(pgid)
      watchdog.forget(pgid)
    }
  }

  /** Ends a released child in the background if it still runs. Otherwise keeps the children that it left behind. */
  const onRelease = (child: ChildCommand): void => {
    const { pid } = child
    live.delete(child)
    prune()
    if (!isGroupAlive(pid)) {
      watchdog.forget(pid)
    } else if (child.hasEnded) {
      leftBehind.add(pid)
      void watchdog.watch(pid)
    } else {
      // It may be too young to be watched yet.
      void watch(pid)
      const ending = child.end().finally(() => {
        endings.delete(ending)
        watchdog.forget(pid)
      })
      endings.add(ending)
    }
  }

  /** Starts the watchdog and announces the folders before they are made. */
  const wake = (): void => {
    watchdog.removeTrees([scratch, pipes?.folder].filter((path) => path !== undefined))
  }

  const watch = (pgid: number): Promise<void> => {
    wake()
    return watchdog.watch(pgid)
  }

  /** Includes the younger ones: that costs nothing extra. */
  const watchAll = (): void => {
    for (const { pid } of live) void watch(pid)
  }

  const adopt = (started: StartedChild, graceMs?: number): ChildCommand => {
    const running = new ChildCommand(started, { clock, onRelease, graceMs })
    live.add(running)
    if (started.go !== undefined) void watch(running.pid).then(started.go)
    else if (watchdog.isAwake || (scratch !== undefined && existsSync(scratch))) void watch(running.pid)
    else running.after(lastingMs, watchAll)
    return running
  }

  const begin = (spawning: Promise<StartedChild>, graceMs?: number): Promise<ChildCommand> => {
    const beginning = spawning
      .then((started) => adopt(started, graceMs))
      .finally(() => beginnings.delete(beginning))
    beginnings.add(beginning)
    return beginning
  }

  const spawnWatched = async (
    program: ProgramCall,
    { stdin, output }: StartOptions,
  ): Promise<StartedChild> => {
    const file = locate(program)
    wake()
    const pipe = output === 'separate' ? undefined : await pipes?.open()
    return spawnGroup(file, { stdin, waits: true, pipe })
  }

  async function* run(
    command: CommandLine,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<CommandOutput, CommandExit, undefined> {
    throwIfAborted(signal)
    const { input } = command
    const running = await begin(
      spawnGroup(locate(command), { stdin: input === undefined ? 'empty' : 'open' }),
    )
    const onAbort = () => void running.end()
    signal.addEventListener('abort', onAbort, { once: true })
    running.after(command.timeoutMs, () => void running.end('timeout'))
    try {
      if (input !== undefined) {
        if (input !== '') running.write(input)
        running.write('')
      }
      return yield* running.output(signal)
    } finally {
      signal.removeEventListener('abort', onAbort)
      running.release()
    }
  }

  return {
    run,
    prepare() {
      wake()
      pipes?.prepare()
    },
    start: (program, options = { stdin: 'empty' }) => begin(spawnWatched(program, options), options.graceMs),
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
