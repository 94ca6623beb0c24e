import type { Clock } from '../clock.ts'
import { decodeKeys, flushKeys, type Key } from './keys.ts'
import type { Size } from './state.ts'

export interface TerminalOptions {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly clock: Clock
  /** Whether the terminal is this process's to change. To do so from the background stops a process. */
  readonly isForeground: () => boolean
  readonly onKey: (key: Key) => void
  /** The window has another size, which may not be the last one. */
  readonly onResizing: (size: Size) => void
  /** The window has another size, and has had it for a while. */
  readonly onResize: (size: Size) => void
  /** The terminal is gone. */
  readonly onGone: () => void
}

// Bracketed paste; keys told apart that would else look alike (the protocol of kitty, which others have taken up); no cursor. The
// second is a stack: what a killed run has left on it goes first.
const takeModes = '\u001b[<u\u001b[?2004h\u001b[>1u\u001b[?25l'
const giveModes = '\u001b[?2004l\u001b[<u\u001b[?25h'

/** An escape character not followed by more within this many milliseconds was the Esc key. */
const escapePause = 30
/**
 * A window is drawn again when its size has rested for this many milliseconds. tmux tells a size up to 250 ms after it has broken
 * the rows anew, so that rows drawn earlier could not be found again.
 */
const resizePause = 300

/** The person's terminal: what it is set to while the program has it, its keys, and its size. */
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

  /** Whether anything may be drawn: not where the window has just got another size, which is asked of the terminal itself. */
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
    // What was typed before the keys were taken is read as they are, and the terminal has echoed it where the first row will stand.
    this.write('\r\u001b[K')
    this.take()
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
    // After a stop in the background Node takes it for raw still.
    if (stdin.isRaw) stdin.setRawMode(false)
    stdin.setRawMode(true)
    stdin.resume()
    this.write(takeModes)
  }

  /**
   * Leaves the terminal as it was found; its settings only in the foreground, else they are the shell's already. At once, any number
   * of times, also while the process is dying.
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
    if (pending === '\u001b') this.#stopEscape = this.#options.clock.after(escapePause, this.#flush)
  }

  readonly #flush = (): void => {
    const keys = flushKeys(this.#pending)
    this.#pending = ''
    for (const key of keys) this.#options.onKey(key)
  }

  /** A signal or a reader that is behind is no end. */
  readonly #onError = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EAGAIN' && error.code !== 'EINTR') this.#options.onGone()
  }

  readonly #onResize = (): void => {
    this.#options.onResizing(this.size)
    this.#stopResize?.()
    this.#stopResize = this.#options.clock.after(resizePause, this.#onRest)
  }

  /** Takes a new size over without waiting for it to rest. */
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

/** At least one cell: some terminals say 0 before they know. */
function sizeOf(stdout: NodeJS.WriteStream): Size {
  const [columns, rows] = stdout.getWindowSize()
  return { columns: Math.max(1, columns || 80), rows: Math.max(1, rows || 24) }
}
