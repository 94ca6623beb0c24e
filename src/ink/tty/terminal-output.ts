import type { Clock } from '../../clock.ts'

export interface TerminalOutputOptions {
  readonly stdout: NodeJS.WriteStream
  readonly clock: Clock
  /** Whether the terminal is still there after a failed write. */
  readonly isThere: () => boolean
  /** Called when a slow terminal, for which drawing had to wait, has caught up. */
  readonly onCaughtUp: () => void
  /** Called when the terminal is gone. */
  readonly onGone: () => void
}

/** Time after which a failed write to a terminal that is still there is tried again, and how often in a row. */
const retryMs = 100
const mostRetries = 15
/** Time that a slow terminal has to take the last bytes. */
const slowMs = 1_000

/** Writes to the terminal in order, and knows whether it has taken everything. */
export class TerminalOutput {
  readonly #options: TerminalOutputOptions
  /** Bytes that could not be written, and those that came after them. */
  #failed = ''
  #retries = 0
  #stopRetry: (() => void) | undefined
  /** Whether drawing had to wait for written bytes. */
  #isAwaited = false
  #isClosed = false
  #caughtUp: () => void = () => undefined

  constructor(options: TerminalOutputOptions) {
    this.#options = options
  }

  open(): void {
    this.#options.stdout.on('error', this.#onError)
  }

  close(): void {
    this.#isClosed = true
    this.#stopRetry?.()
    this.#isAwaited = false
  }

  /** Writes at once unless the terminal is slow. Does nothing once it is gone. */
  readonly write = (bytes: string): void => {
    const { stdout } = this.#options
    if (this.#failed !== '') this.#failed += bytes
    else if (!stdout.destroyed && stdout.writable)
      stdout.write(bytes, (error) => this.#onWritten(bytes, error))
  }

  /** Whether the terminal has yet to take what was written. */
  get isBehind(): boolean {
    const { stdout } = this.#options
    return this.#failed !== '' || (stdout.writableLength > 0 && !stdout.destroyed && stdout.writable)
  }

  /** Has `onCaughtUp` called once the terminal is no longer behind. */
  await(): void {
    this.#isAwaited = true
  }

  /** Resolves when the terminal has taken what was written, or after a while. */
  async taken(): Promise<void> {
    if (!this.isBehind) return
    await new Promise<void>((resolve) => {
      const stop = this.#options.clock.after(slowMs, resolve)
      this.#caughtUp = () => {
        stop()
        resolve()
      }
    })
  }

  /** Writes what failed again. */
  readonly retry = (): void => {
    const bytes = this.#failed
    this.#stopRetry?.()
    this.#failed = ''
    if (bytes !== '') this.write(bytes)
  }

  #onWritten(bytes: string, error: Error | null | undefined): void {
    if (error) {
      this.#failed += bytes
      return
    }
    this.#retries = 0
    if (this.isBehind) return
    this.#caughtUp()
    if (!this.#isAwaited) return
    this.#isAwaited = false
    this.#options.onCaughtUp()
  }

  /** One failed write is not the end of a terminal. Node reports it once all bytes that it held up have failed. */
  readonly #onError = (): void => {
    const { clock, isThere, onGone } = this.#options
    this.#stopRetry?.()
    if (this.#isClosed) return
    if (++this.#retries > mostRetries || !isThere()) onGone()
    else this.#stopRetry = clock.after(retryMs, this.retry)
  }
}
