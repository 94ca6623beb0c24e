import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Clock } from '../clock.ts'
import type { CommandExit, CommandOutput } from '../command.ts'
import { endGroup, isGroupAlive } from './group.ts'

/** Bytes that wait to be pulled; above it the program's own pipe fills up and makes it wait. */
const backlog = 256 * 1024
/** At the program's exit what is left in its pipes is taken in at once: two socket buffers at most. */
const lastBacklog = 1024 * 1024
const drainMs = 2_000

/** A started program: its output as a bounded queue, its exit, and the end of its process group. */
export class RunningCommand {
  readonly #child: ChildProcess
  readonly #streams: readonly Readable[]
  readonly #clock: Clock
  readonly #startedAt: number
  readonly #queue: CommandOutput[] = []
  readonly #timers = new AbortController()
  #queued = 0
  #limit = backlog
  #timedOut = false
  #exit: CommandExit | undefined
  #failure: Error | undefined
  #complete = false
  #ending: Promise<void> | undefined
  #wake: () => void = () => {}

  constructor(child: ChildProcess, timeoutMs: number, clock: Clock) {
    this.#child = child
    this.#clock = clock
    this.#startedAt = clock.monotonic()
    this.#streams = [child.stdout, child.stderr].filter((stream) => stream !== null)
    child.stdout?.on('data', (chunk: Uint8Array) => this.#take({ stream: 'stdout', chunk }))
    child.stderr?.on('data', (chunk: Uint8Array) => this.#take({ stream: 'stderr', chunk }))
    for (const source of [child, ...this.#streams]) source.on('error', (error) => this.#fail(error))
    child.once('exit', (code, signal) => this.#exited(code, signal))
    child.once('close', () => this.#settle())
    this.#after(timeoutMs, () => this.#timeOut())
  }

  /** Why it could not be started. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /** How it ended, once its output is complete too, or 2 s after its exit. */
  get result(): CommandExit | undefined {
    return this.#complete ? this.#exit : undefined
  }

  /** The next piece of output that has come. */
  shift(): CommandOutput | undefined {
    const output = this.#queue.shift()
    if (output === undefined) return undefined
    this.#queued -= output.chunk.length
    if (this.#queued <= this.#limit / 2) for (const stream of this.#streams) stream.resume()
    return output
  }

  /** Resolves when there is more to see. */
  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  wake(): void {
    this.#wake()
  }

  /** Ends the whole group; the same promise for every call. */
  end(): Promise<void> {
    this.#ending ??=
      this.#child.pid === undefined ? Promise.resolve() : endGroup(this.#child.pid, this.#clock)
    return this.#ending
  }

  /** Nobody pulls any more. Gives the group's id where children in the background go on; they may go on writing, too. */
  release(): number | undefined {
    this.#timers.abort()
    for (const stream of this.#streams) {
      stream.removeAllListeners('data').resume()
      unref(stream)
    }
    const { pid } = this.#child
    return pid !== undefined && isGroupAlive(pid) ? pid : undefined
  }

  #take(output: CommandOutput): void {
    this.#queue.push(output)
    this.#queued += output.chunk.length
    if (this.#queued > this.#limit) for (const stream of this.#streams) stream.pause()
    this.#wake()
  }

  #exited(exitCode: number | null, signal: string | null): void {
    const durationMs = this.#clock.monotonic() - this.#startedAt
    this.#exit = { exitCode, signal, timedOut: this.#timedOut, durationMs }
    this.#limit = lastBacklog
    for (const stream of this.#streams) stream.resume()
    this.#after(drainMs, () => this.#settle())
  }

  #settle(): void {
    this.#complete = true
    this.#wake()
  }

  /** A program that runs fails by its exit; an error of its pipe is the end of its output. */
  #fail(error: Error): void {
    if (this.#child.pid === undefined) this.#failure = error
    this.#wake()
  }

  #timeOut(): void {
    if (this.#exit !== undefined) return
    this.#timedOut = true
    void this.end()
  }

  #after(ms: number, action: () => void): void {
    const { signal } = this.#timers
    this.#clock.sleep(ms, signal).then(action, (error) => {
      if (!signal.aborted) throw error
    })
  }
}

/** Lets this process end although the pipe is open. */
function unref(stream: Readable): void {
  if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
}
