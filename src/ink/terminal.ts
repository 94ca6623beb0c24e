import type { Clock } from '../clock.ts'
import { decodeKeys, flushKeys, type Key } from './keys.ts'
import type { Size } from './state.ts'

export interface TerminalOptions {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly clock: Clock
  readonly onKey: (key: Key) => void
  /** The window has another size, and may get yet another in a moment. */
  readonly onResizing: (size: Size) => void
  /** It keeps this size for now. */
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
/** A window that is being dragged is drawn when it has rested for this many milliseconds. */
const resizePause = 40

/** The person's terminal: what it is set to while the program has it, its keys, and its size. */
export class Terminal {
  readonly #options: TerminalOptions
  #pending = ''
  #stopEscape: (() => void) | undefined
  #stopResize: (() => void) | undefined
  #isTaken = false

  constructor(options: TerminalOptions) {
    this.#options = options
  }

  get size(): Size {
    return sizeOf(this.#options.stdout)
  }

  /** Sets the terminal up and listens. */
  open(): void {
    const { stdin, stdout, onGone } = this.#options
    // What was typed before the keys were taken is read as they are, and the terminal has echoed it where the first row will stand.
    stdout.write('\r\u001b[K')
    this.take()
    stdin.setEncoding('utf8')
    stdin.on('data', this.#onData)
    stdin.on('end', onGone)
    stdin.on('error', onGone)
    stdout.on('error', onGone)
    stdout.on('resize', this.#onResize)
  }

  /** Sets the terminal up, for the first time or after it was restored. */
  take(): void {
    const { stdin, stdout } = this.#options
    this.#isTaken = true
    stdin.setRawMode(true)
    stdin.resume()
    stdout.write(takeModes)
  }

  /** Leaves the terminal as it was found. At once, any number of times, also while the process is dying. */
  readonly restore = (): void => {
    const { stdin } = this.#options
    const wasTaken = this.#isTaken
    this.yield()
    if (!wasTaken || stdin.destroyed) return
    // To read from the background stops a process.
    stdin.pause()
    stdin.setRawMode(false)
  }

  /** Leaves it to a shell that may have it already, its settings as they are: changing them from the background stops a process. */
  yield(): void {
    if (!this.#isTaken) return
    this.#isTaken = false
    const { stdout } = this.#options
    if (!stdout.destroyed && stdout.writable) stdout.write(giveModes)
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

  readonly #onResize = (): void => {
    const { clock, onResizing, onResize } = this.#options
    onResizing(this.size)
    this.#stopResize?.()
    this.#stopResize = clock.after(resizePause, () => onResize(this.size))
  }
}

/** At least one cell: some terminals say 0 before they know. */
function sizeOf({ columns, rows }: NodeJS.WriteStream): Size {
  return { columns: Math.max(1, columns || 80), rows: Math.max(1, rows || 24) }
}
