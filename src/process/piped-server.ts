import type { Clock } from '../clock.ts'
import { hasCode } from '../error.ts'
import type { CommandExit, CommandRunner, ProgramCall, RunningCommand } from '../machine/running-command.ts'

/** Characters of stderr that are kept for the reason of a failure. */
const lastWords = 4_000
/** Time in ms that a server has to end by itself once its stdin is closed, then after TERM. */
const graceMs = { leave: 250, term: 250 }

export interface PipedServerOptions {
  readonly commands: Pick<CommandRunner, 'start'>
  readonly clock: Clock
  readonly program: ProgramCall
  /** Takes the next bytes of stdout. Returns false once they cannot be read, which ends the server. */
  readonly take: (chunk: Uint8Array) => boolean
  /** Called once when the server has ended, or was closed. */
  readonly onEnd: () => void
}

/**
 * A program that is spoken to over its stdin and stdout. It has a process group of its own, which ends with it: a server behind `sh -c`
 * too.
 */
export class PipedServer {
  readonly #options: PipedServerOptions
  readonly #stop = new AbortController()
  #starting: Promise<RunningCommand> | undefined
  #running: RunningCommand | undefined
  #reading: Promise<void> = Promise.resolve()
  #exit: CommandExit | undefined
  #stderr = ''
  #closing: Promise<void> | undefined

  constructor(options: PipedServerOptions) {
    this.#options = options
  }

  /** Says how the server ended, with its last words on stderr. `undefined` while it runs. */
  get ended(): { readonly exit: CommandExit; readonly stderr: string } | undefined {
    return this.#exit && { exit: this.#exit, stderr: this.#stderr.trim() }
  }

  /** Throws `tool` if it cannot start. */
  async start(): Promise<void> {
    const { commands, program } = this.#options
    this.#starting = commands.start(program, {
      stdin: 'open',
      output: 'separate',
      graceMs: graceMs.term,
    })
    this.#running = await this.#starting
    this.#reading = this.#read(this.#running)
  }

  /** Writes to its stdin. Returns false if it has ended. */
  write(text: string): boolean {
    return this.#exit === undefined && this.#running?.write(text) === true
  }

  /** Closes stdin, which asks a server to end, then ends its group. Waits for one that is starting. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    // Its failure is thrown by `start`.
    await Promise.allSettled([this.#starting])
    const running = this.#running
    if (running === undefined) return
    running.write('')
    await this.#leaving()
    await running.end()
    this.#stop.abort()
    await this.#reading
    running.release()
  }

  /** Resolves when the server has ended, or had its time. */
  #leaving(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#options.clock.after(graceMs.leave, resolve)
      void this.#reading.then(() => {
        stop()
        resolve()
      })
    })
  }

  async #read(running: RunningCommand): Promise<void> {
    const decoder = new TextDecoder()
    try {
      const output = running.output(this.#stop.signal)
      for (;;) {
        const { done, value } = await output.next()
        if (done === true) {
          this.#exit = value
          break
        }
        if (value.stream === 'stderr')
          this.#stderr = (this.#stderr + decoder.decode(value.chunk, { stream: true })).slice(-lastWords)
        else if (!this.#options.take(value.chunk)) void running.end()
      }
    } catch (error) {
      if (!hasCode(error, 'aborted')) throw error
    }
    this.#options.onEnd()
  }
}
