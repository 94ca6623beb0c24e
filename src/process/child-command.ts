import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Clock } from '../clock.ts'
import { throwIfAborted } from '../error.ts'
import type { CommandExit, CommandOutput, RunningCommand } from '../machine/running-command.ts'
import { endGroup } from './group.ts'
import { unref } from './unref.ts'

/** Bytes waiting to be pulled. Above this the program's own pipe fills up and blocks it. */
const backlog = 256 * 1024
/** At exit, takes everything left in the pipes at once: a pipe holds at most 1 MiB. */
const lastBacklog = 2 * 1024 * 1024
const drainMs = 2_000

export interface StartedChild {
  readonly child: ChildProcess
  readonly pid: number
  /** The streams to read its output from. Without `stderr`, everything comes from `stdout`. */
  readonly sources: Pick<ChildProcess, 'stdout' | 'stderr'>
  /** Lets a waiting program start. */
  readonly go?: (() => void) | undefined
}

/** A child process: its output as a bounded queue, its exit, and its process group. */
export class ChildCommand implements RunningCommand {
  readonly pid: number
  readonly startedAt: number
  readonly #child: ChildProcess
  readonly #streams: readonly Readable[]
  readonly #clock: Clock
  readonly #onRelease: (child: ChildCommand) => void
  readonly #graceMs: number | undefined
  readonly #from: number
  readonly #queue: CommandOutput[] = []
  readonly #timers: (() => void)[] = []
  #queued = 0
  /** How many of the child and its pipes are still open. */
  #open: number
  #limit = backlog
  #timedOut = false
  #exit: CommandExit | undefined
  #complete = false
  #released = false
  #ending: Promise<void> | undefined
  #wake: () => void = () => {}

  constructor(
    { child, pid, sources }: StartedChild,
    options: {
      readonly clock: Clock
      readonly onRelease: (child: ChildCommand) => void
      readonly graceMs?: number | undefined
    },
  ) {
    this.pid = pid
    this.#child = child
    this.#clock = options.clock
    this.#onRelease = options.onRelease
    this.#graceMs = options.graceMs
    this.startedAt = this.#clock.now()
    this.#from = this.#clock.monotonic()
    this.#streams = [sources.stdout, sources.stderr].filter((source) => source !== null)
    sources.stdout?.on('data', (chunk: Uint8Array) => this.#take({ stream: 'stdout', chunk }))
    sources.stderr?.on('data', (chunk: Uint8Array) => this.#take({ stream: 'stderr', chunk }))
    // A program fails by its exit code; a pipe error only ends that pipe.
    for (const source of [child, child.stdin, ...this.#streams]) source?.on('error', () => this.#wake())
    child.once('exit', (code, signal) => this.#exited(code, signal))
    this.#open = this.#streams.length + 1
    for (const source of [child, ...this.#streams]) source.once('close', () => this.#closed())
  }

  /** Whether it has exited and its output has ended, or 2 s have passed since the exit. */
  get hasEnded(): boolean {
    return this.#complete
  }

  async *output(signal: AbortSignal): AsyncGenerator<CommandOutput, CommandExit, undefined> {
    const onAbort = () => this.#wake()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      for (;;) {
        throwIfAborted(signal)
        const output = this.#shift()
        if (output !== undefined) yield output
        else if (this.#complete && this.#exit !== undefined) return this.#exit
        else await this.#changed()
      }
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  write(text: string): boolean {
    const { stdin } = this.#child
    if (stdin === null || !stdin.writable) return false
    if (text === '') stdin.end()
    else stdin.write(text)
    return true
  }

  end(reason?: 'timeout'): Promise<void> {
    if (reason === 'timeout' && this.#exit === undefined) this.#timedOut = true
    this.#ending ??= endGroup(this.pid, this.#clock, this.#graceMs)
    return this.#ending
  }

  release(): void {
    if (this.#released) return
    this.#released = true
    this.#stopTimers()
    this.#child.stdin?.destroy()
    for (const stream of this.#streams) {
      // Its background children may still write.
      stream.removeAllListeners('data').resume()
      unref(stream)
    }
    this.#onRelease(this)
  }

  /** Runs the action after a delay, unless the child ends or is released first. */
  after(ms: number, action: () => void): void {
    if (!this.#complete && !this.#released) this.#timers.push(this.#clock.after(ms, action))
  }

  #stopTimers(): void {
    for (const stop of this.#timers.splice(0)) stop()
  }

  #shift(): CommandOutput | undefined {
    const output = this.#queue.shift()
    if (output === undefined) return undefined
    this.#queued -= output.chunk.length
    if (this.#queued <= this.#limit / 2) for (const stream of this.#streams) stream.resume()
    return output
  }

  /** Resolves when there may be more to read. */
  #changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #take(output: CommandOutput): void {
    // Another holder of the pipes is writing: a flood from it would never let the command end.
    if (this.#complete) return
    this.#queue.push(output)
    this.#queued += output.chunk.length
    if (this.#queued > this.#limit) for (const stream of this.#streams) stream.pause()
    this.#wake()
  }

  #exited(exitCode: number | null, signal: string | null): void {
    const durationMs = this.#clock.monotonic() - this.#from
    const exit = { exitCode, signal, timedOut: this.#timedOut, durationMs }
    this.#exit = exit
    this.#limit = lastBacklog
    for (const stream of this.#streams) stream.resume()
    this.after(drainMs, () => {
      // By now only another process can hold the output.
      this.#exit = { ...exit, isOutputHeld: true }
      this.#settle()
    })
  }

  #closed(): void {
    this.#open--
    if (this.#open === 0) this.#settle()
  }

  #settle(): void {
    this.#complete = true
    this.#stopTimers()
    this.#wake()
  }
}
