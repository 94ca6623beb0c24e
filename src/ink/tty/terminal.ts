import type { Clock } from '../../clock.ts'
import type { TerminalName } from '../../terminal/terminal-name.ts'
import type { Size } from '../state.ts'
import type { Key } from './key.ts'
import { stKeys } from './key-sequence.ts'
import { Keyboard, replyPartMs } from './keyboard.ts'
import { type Modes, modesOf } from './modes.ts'
import { toldRow } from './reshaping.ts'
import { type Reshaped, Resizing } from './resizing.ts'
import { TerminalOutput } from './terminal-output.ts'

export interface TerminalOptions {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly clock: Clock
  /** Default: one that is like most. */
  readonly name?: TerminalName | undefined
  /** Sets whether writes wait for a slow terminal. Default: they do. */
  readonly setBlocking?: ((isBlocking: boolean) => void) | undefined
  /** Returns more bytes that set the terminal up. */
  readonly takeMore: () => string
  /** Returns those that set it up again. */
  readonly refreshMore: () => string
  /** Returns those that undo them. */
  readonly giveMore: () => string
  /** Calls back when the window may have changed, or the terminal behind a multiplexer. Returns a function that ends it. */
  readonly watchWindow?: ((onChange: () => void) => () => void) | undefined
  /** Whether this process may change the terminal. Changing it from the background would stop the process. */
  readonly isForeground: () => boolean
  readonly onKey: (key: Key) => void
  /** Called with an answer of the terminal, or with news of its focus, as it was sent. */
  readonly onReply: (reply: string) => void
  /** Called at each change of the window size. */
  readonly onResizing: (size: Size) => void
  /** Called when a new window size has been stable for a while, with what it did to the rows. */
  readonly onResize: (size: Size, reshaped: Reshaped) => void
  /** Called when a slow terminal, for which drawing had to wait, has caught up. */
  readonly onCaughtUp: () => void
  /** Whether the terminal is still there after a failed write. */
  readonly isThere: () => boolean
  /** Called when the terminal is gone. */
  readonly onGone: () => void
}

/** Time after which no answer is expected any more. */
const replyWaitMs = 1_000

/** The terminal: its modes while the program uses it, its keys and its size. */
export class Terminal {
  readonly #options: TerminalOptions
  #modes: Modes
  readonly #keyboard: Keyboard
  readonly #output: TerminalOutput
  readonly #resizing: Resizing
  #unwatch: (() => void) | undefined
  /** Present while an answer is due. */
  #stopAsking: (() => void) | undefined
  #answered: () => void = () => undefined
  #isTaken = false
  #isHeld = false
  #isCovered = false

  constructor(options: TerminalOptions) {
    this.#options = options
    const { clock, name, onKey, onResizing, onResize } = options
    this.#modes = modesOf(name)
    this.#keyboard = new Keyboard({
      clock,
      onKey,
      onReply: this.#hear,
      ownKeys: name === 'st' ? stKeys : undefined,
      isAnswerDue: () => this.#stopAsking !== undefined,
    })
    this.#output = new TerminalOutput(options)
    this.#resizing = new Resizing({
      clock,
      name,
      onResizing,
      size: () => this.size,
      ask: (query) => {
        const isOwn = this.#isTaken && !this.#isHeld
        if (isOwn) this.ask(query)
        return isOwn
      },
      onResize: (size, reshaped) => {
        this.refresh()
        onResize(size, reshaped)
      },
    })
  }

  get size(): Size {
    return sizeOf(this.#options.stdout)
  }

  /**
   * Whether drawing is allowed: not while a new window size settles, nor while another program has the terminal or it has yet to take what
   * was written before. Queries the size from the terminal itself.
   */
  readonly isSettled = (): boolean => {
    if (this.#isHeld) return false
    const isSettled = this.#resizing.isSettled()
    if (!this.#output.isBehind) return isSettled
    this.#output.await()
    return false
  }

  /** Writes in order, and at once unless the terminal is slow. Does nothing once it is gone. */
  readonly write = (bytes: string): void => this.#output.write(bytes)

  /** Forbids drawing until the release: another program has the terminal. */
  hold(): void {
    this.#isHeld = true
  }

  release(): void {
    this.#isHeld = false
  }

  /** Asks the terminal something. Its answers go to `onReply`. */
  ask(query: string): void {
    this.#stopAsking?.()
    this.#stopAsking = this.#options.clock.after(replyWaitMs, () => this.answered())
    this.write(query)
  }

  /** Ends the wait for an answer. */
  answered(): void {
    this.#stopAsking?.()
    this.#stopAsking = undefined
    this.#answered()
  }

  /**
   * Resolves when no answer is due, which would be typed into the shell, and the terminal has taken what was written; or after a while.
   */
  async quiet(): Promise<void> {
    if (!this.#isTaken) return
    if (this.#stopAsking !== undefined) {
      await new Promise<void>((resolve) => {
        const stop = this.#options.clock.after(replyPartMs, resolve)
        this.#answered = () => {
          stop()
          resolve()
        }
      })
    }
    await this.#output.taken()
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
    stdin.on('data', this.#keyboard.hear)
    stdin.on('end', onGone)
    stdin.on('error', this.#onError)
    this.#output.open()
    stdout.on('resize', this.#resizing.change)
    // Node tells of a new size only. A multiplexer also sends the signal when it shows the program on another terminal.
    this.#unwatch = this.#options.watchWindow?.(this.#resizing.change)
  }

  /** Sets the terminal up, for the first time or after it was restored. */
  take(): void {
    const { stdin } = this.#options
    this.#isTaken = true
    // After a stop in the background Node still believes that the mode is raw.
    if (stdin.isRaw) stdin.setRawMode(false)
    stdin.setRawMode(true)
    stdin.resume()
    this.#options.setBlocking?.(false)
    this.write(this.#modes.take + this.#options.takeMore())
  }

  /** Sets the modes of another terminal, as it turned out. */
  rename(name: TerminalName): void {
    this.#modes = modesOf(name)
    this.refresh()
  }

  /** Sets the modes again: another program may have changed them, or a multiplexer has a new terminal behind it. */
  refresh(): void {
    const { refresh, recover } = this.#modes
    if (this.#isTaken) this.write((this.#isCovered ? recover : refresh) + this.#options.refreshMore())
  }

  /**
   * Restores the terminal synchronously; its settings only in the foreground, as the shell has already reset them otherwise. May be
   * called repeatedly, also while the process is exiting.
   */
  readonly restore = (): void => {
    const { stdin, isForeground } = this.#options
    if (!this.#isTaken) return
    this.uncover()
    this.#isTaken = false
    this.#output.retry()
    // Lose none of the last bytes. Waiting for a terminal that takes nothing could last forever.
    if (!this.#output.isBehind) this.#options.setBlocking?.(true)
    this.write(this.#options.giveMore() + this.#modes.give)
    stdin.pause()
    if (!stdin.destroyed && isForeground()) stdin.setRawMode(false)
  }

  /** Switches to the terminal's other screen, which keeps this one as it is. Returns whether it did; not if it is shown already. */
  cover(): boolean {
    if (!this.#isTaken || this.#isCovered) return false
    this.#isCovered = true
    this.write(this.#modes.cover)
    return true
  }

  /** Switches back. `restore` does too. */
  uncover(): void {
    if (!this.#isCovered) return
    this.#isCovered = false
    this.write(this.#modes.uncover)
  }

  close(): void {
    const { stdin, stdout, onGone } = this.#options
    this.#keyboard.close()
    this.#resizing.close()
    this.answered()
    this.#output.close()
    this.restore()
    stdin.off('data', this.#keyboard.hear)
    stdin.off('end', onGone)
    stdout.off('resize', this.#resizing.change)
    this.#unwatch?.()
    stdin.pause()
    stdin.unref()
  }

  /** Treats a failed read as the end of the terminal, except after a signal. */
  readonly #onError = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EAGAIN' && error.code !== 'EINTR') this.#options.onGone()
  }

  /** Applies a new size without waiting until it is stable. */
  settle(): void {
    this.#resizing.settle()
  }

  /** Sets the modes again and has everything drawn anew, at the size that the terminal has now. */
  rest(): void {
    this.#resizing.rest()
  }

  readonly #hear = (reply: string): void => {
    if (toldRow(reply) !== undefined) this.answered()
    this.#resizing.hear(reply)
    this.#options.onReply(reply)
  }
}

/** Returns the window size; 80 × 24 instead of 0, which some terminals report at first. */
function sizeOf(stdout: NodeJS.WriteStream): Size {
  const [columns, rows] = stdout.getWindowSize()
  return { columns: Math.max(1, columns || 80), rows: Math.max(1, rows || 24) }
}
