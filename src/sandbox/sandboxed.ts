import type {
  CommandExit,
  CommandLine,
  CommandOutput,
  CommandRunner,
  ProgramCall,
  RunningCommand,
} from '../machine/running-command.ts'
import { rerun } from './rerun.ts'

/** A program that is prepared to run inside. */
export interface Confined {
  readonly program: ProgramCall
  /** Must be called once, after the program has ended. */
  release(): void
  /** Whether the program did not start, because a path that was to be covered has vanished. `text` is all that it wrote. */
  isOutdated?(text: string): boolean
}

/**
 * Wraps a runner so that every program runs as `confine` returns it. Calls `confine` again if the files changed before the program
 * could start. `close` waits for programs that were given up, and ends none.
 */
export function sandboxed(
  commands: CommandRunner,
  confine: (program: ProgramCall) => Promise<Confined>,
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
      let confined: Confined | undefined
      const start = async () => {
        confined?.release()
        confined = undefined
        confined = await confine(command)
        return commands.run({ ...command, ...confined.program }, options)
      }
      const isOutdated = (text: string) => confined?.isOutdated?.(text) === true
      try {
        return yield* rerun(await start(), { isOutdated, again: start })
      } finally {
        confined?.release()
      }
    },
    prepare: () => commands.prepare(),
    async start(program, options) {
      const start = async () => {
        const confined = await confine(program)
        try {
          return { confined, running: await commands.start(confined.program, options) }
        } catch (error) {
          confined.release()
          throw error
        }
      }
      return new ConfinedCommand(await start(), start, end)
    },
    removeIfKilled: (paths, claims) => commands.removeIfKilled(paths, claims),
    async close() {
      await Promise.all(endings)
    },
  }
}

interface ConfinedRun {
  readonly confined: Confined
  readonly running: RunningCommand
}

/** Releases the confinement once the program has ended and its owner has released it. */
class ConfinedCommand implements RunningCommand {
  readonly #start: () => Promise<ConfinedRun>
  readonly #end: (running: RunningCommand, release: () => void) => void
  #current: ConfinedRun
  #hasOutput = false
  #hasEnded = false
  #isReleased = false

  constructor(
    first: ConfinedRun,
    start: () => Promise<ConfinedRun>,
    end: (running: RunningCommand, release: () => void) => void,
  ) {
    this.#current = first
    this.#start = start
    this.#end = end
  }

  get pid(): number {
    return this.#current.running.pid
  }

  get startedAt(): number {
    return this.#current.running.startedAt
  }

  async *output(signal: AbortSignal): AsyncGenerator<CommandOutput, CommandExit, undefined> {
    const output = this.#current.running.output(signal)
    const isFirst = !this.#hasOutput
    this.#hasOutput = true
    const exit = isFirst
      ? yield* rerun(output, {
          isOutdated: (text) => this.#current.confined.isOutdated?.(text) === true,
          again: async () => (await this.#startAgain()).output(signal),
        })
      : yield* output
    this.#hasEnded = true
    return exit
  }

  async #startAgain(): Promise<RunningCommand> {
    const { running, confined } = this.#current
    running.release()
    confined.release()
    this.#isReleased = true
    this.#current = await this.#start()
    this.#isReleased = false
    return this.#current.running
  }

  write(text: string): boolean {
    return this.#current.running.write(text)
  }

  end(reason?: 'timeout'): Promise<void> {
    return this.#current.running.end(reason)
  }

  release(): void {
    const { running, confined } = this.#current
    running.release()
    if (this.#isReleased) return
    this.#isReleased = true
    if (this.#hasEnded) confined.release()
    else this.#end(running, () => confined.release())
  }
}
