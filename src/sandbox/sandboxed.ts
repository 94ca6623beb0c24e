import type {
  CommandExit,
  CommandLine,
  CommandOutput,
  CommandRunner,
  Program,
  RunningCommand,
} from '../command.ts'

/** A program that is prepared to run inside. */
export interface Confined {
  readonly program: Program
  /** Must be called once, after the program has ended. */
  release(): void
}

/**
 * Wraps a runner so that every program runs as `confine` returns it. `close` waits for programs that were given up, and ends
 * none.
 */
export function sandboxed(
  commands: CommandRunner,
  confine: (program: Program) => Promise<Confined>,
): CommandRunner {
  const endings = new Set<Promise<void>>()
  const end = (running: RunningCommand, release: () => void): void => {
    const ending = running.end().finally(() => {
      endings.delete(ending)
      release()
    })
    endings.add(ending)
  }
  return {
    async *run(command: CommandLine, options) {
      const { program, release } = await confine(command)
      try {
        return yield* commands.run({ ...program, timeoutMs: command.timeoutMs }, options)
      } finally {
        release()
      }
    },
    prepare: () => commands.prepare(),
    async start(program, options) {
      const confined = await confine(program)
      try {
        return releasing(await commands.start(confined.program, options), confined.release, end)
      } catch (error) {
        confined.release()
        throw error
      }
    },
    removeIfKilled: (paths, claims) => commands.removeIfKilled(paths, claims),
    async close() {
      await Promise.all(endings)
    },
  }
}

/** Releases the confinement once the program has ended and its owner has released it. */
function releasing(
  running: RunningCommand,
  release: () => void,
  end: (running: RunningCommand, release: () => void) => void,
): RunningCommand {
  let hasEnded = false
  let isReleased = false
  async function* output(signal: AbortSignal): AsyncGenerator<CommandOutput, CommandExit, undefined> {
    const exit = yield* running.output(signal)
    hasEnded = true
    return exit
  }
  return {
    pid: running.pid,
    startedAt: running.startedAt,
    output,
    write: (text) => running.write(text),
    end: (reason) => running.end(reason),
    release: () => {
      running.release()
      if (isReleased) return
      isReleased = true
      if (hasEnded) release()
      else end(running, release)
    },
  }
}
