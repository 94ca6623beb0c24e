import type { Clock } from '../clock.ts'
import { decodeKeys, flushKeys, isEscapes, type Key } from './keys.ts'
import type { Size } from './state.ts'

export interface TerminalOptions {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly clock: Clock
  /** Whether this process may change the terminal. Changing it from the background would stop the process. */
  readonly isForeground: () => boolean
  readonly onKey: (key: Key) => void
  /** Called at each change of the window size. */
  readonly onResizing: (size: Size) => void
  /** Called when a new window size has been stable for a while. */
  readonly onResize: (size: Size) => void
  /** Called when the terminal is gone. */
  readonly onGone: () => void
}

// Bracketed paste; distinct codes for otherwise equal keys (kitty keyboard protocol, which other terminals support too); no cursor.
// The keyboard modes are a stack, so pop first what a killed run left on it.
const takeModes = '\u001b[<u\u001b[?2004h\u001b[>1u\u001b[?25l'
const giveModes = '\u001b[?2004l\u001b[<u\u001b[?25h'

/** Time after which an escape character with nothing behind it counts as the Esc key. */
const escapeWaitMs = 30
/**
 * Time that a new window size must be stable before it is drawn. tmux reports a size up to 250 ms after it has rewrapped the
 * rows; rows drawn before that report could not be found again.
 */
const resizeWaitMs = 300

/** The terminal: its modes while the program uses it, its keys and its size. */
export class Terminal {
  readonly #options: TerminalOptions
  #pending = ''
  #stopEscape: (() => void) | undefined
  #stopResize: (() => void) | undefined
  #size: Size
  #isTaken = false

  constructor(options: TerminalOptions) {
    this.#options = options
    this.#size = this.size
  }

  get size(): Size {
    return sizeOf(this.#options.stdout)
  }

  /** Whether drawing is allowed: not while a new window size settles. Queries the size from the terminal itself. */
  readonly isSettled = (): boolean => {
    if (this.#stopResize === undefined && !isSame(this.size, this.#size)) this.#onResize()
    return this.#stopResize === undefined
  }

  /** Writes at once, unless the terminal is gone. */
  readonly write = (bytes: string): void => {
    const { stdout } = this.#options
    if (!stdout.destroyed && stdout.writable) stdout.write(bytes)
  }

  /** Sets the terminal up and listens. */
  open(): void {
    const { stdin, stdout, onGone } = this.#options
    // The terminal has echoed earlier keystrokes into the first row. They are read as keys anyway, so erase the echo.
    this.write('\r\u001b[K')
    this.take()
    // An earlier screen may have released it.
    stdin.ref()
    stdin.setEncoding('utf8')
    stdin.on('data', this.#onData)
    stdin.on('end', onGone)
    stdin.on('error', this.#onError)
    stdout.on('error', this.#onError)
    stdout.on('resize', this.#onResize)
  }

  /** Sets the terminal up, for the first time or after it was restored. */
  take(): void {
    const { stdin } = this.#options
    this.#isTaken = true
    // After a stop in the background Node still believes that the mode is raw.
    if (stdin.isRaw) stdin.setRawMode(false)
    stdin.setRawMode(true)
    stdin.resume()
    this.write(takeModes)
  }

  /**
   * Restores the terminal synchronously; its settings only in the foreground, as the shell has already reset them otherwise. May be
   * called repeatedly, also while the process is exiting.
   */
  readonly restore = (): void => {
    const { stdin, isForeground } = this.#options
    if (!this.#isTaken) return
    this.#isTaken = false
    this.write(giveModes)
    stdin.pause()
    if (!stdin.destroyed && isForeground()) stdin.setRawMode(false)
  }

  close(): void {
    const { stdin, stdout, onGone } = this.#options
    this.#stopEscape?.()
    this.#stopResize?.()
    this.restore()
    stdin.off('data', this.#onData)
    stdin.off('end', onGone)
    stdout.off('resize', this.#onResize)
    stdin.pause()
    stdin.unref()
  }

  readonly #onData = (chunk: string): void => {
    const { keys, pending } = decodeKeys(this.#pending, chunk)
    this.#pending = pending
    this.#stopEscape?.()
    for (const key of keys) this.#options.onKey(key)
    if (isEscapes(pending)) this.#stopEscape = this.#options.clock.after(escapeWaitMs, this.#flush)
  }

  readonly #flush = (): void => {
    const keys = flushKeys(this.#pending)
    this.#pending = ''
    for (const key of keys) this.#options.onKey(key)
  }

  /** Treats errors as the end of the terminal, except for a signal or a slow reader. */
  readonly #onError = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EAGAIN' && error.code !== 'EINTR') this.#options.onGone()
  }

  readonly #onResize = (): void => {
    this.#options.onResizing(this.size)
    this.#stopResize?.()
    this.#stopResize = this.#options.clock.after(resizeWaitMs, this.#onRest)
  }

  /** Applies a new size without waiting until it is stable. */
  settle(): void {
    if (this.#stopResize !== undefined) this.#onRest()
  }

  readonly #onRest = (): void => {
    this.#stopResize?.()
    this.#stopResize = undefined
    this.#size = this.size
    this.#options.onResize(this.#size)
  }
}

function isSame(a: Size, b: Size): boolean {
  return a.columns === b.columns && a.rows === b.rows
}

/** Returns the window size; 80 × 24 instead of 0, which some terminals report at first. */
function sizeOf(stdout: NodeJS.WriteStream): Size {
  const [columns, rows] = stdout.getWindowSize()
  return { columns: Math.max(1, columns || 80), rows: Math.max(1, rows || 24) }
}
