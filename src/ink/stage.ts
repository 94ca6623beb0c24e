import type { Clock } from '../clock.ts'
import { Display } from './display.ts'
import type { Key } from './keys.ts'
import { Painter } from './painter.tsx'
import { blankScreen, type Size } from './state.ts'
import { Store } from './store.ts'
import { type JobControl, type JobHandlers, suspend } from './suspension.ts'
import { Terminal } from './terminal.ts'

/** The terminal that a screen is shown on, and the process behind it. */
export interface StageOptions {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly clock: Clock
  readonly colors: boolean
  /** Ends the screen. */
  readonly signal: AbortSignal
  /** Called when the terminal is gone; must fire the signal. */
  readonly onGone: () => void
  /** Receives the function that restores the terminal, for exits that skip `finally`. */
  readonly onRestorable: (restore: () => void) => void
  /** Whether this process may change the terminal. */
  readonly isForeground: () => boolean
  readonly watchJob: (handlers: JobHandlers) => JobControl
}

/** Handles the user's keys on a screen. */
export interface Actors {
  readonly key: (key: Key) => void
  /** Runs an action and reports its error. */
  readonly attempt: (act: () => Promise<void>) => void
}

/** A screen on a terminal: takes the terminal over, draws the store on it, and gives it back as it was. */
export class Stage {
  readonly store: Store
  readonly #options: StageOptions
  readonly #terminal: Terminal
  readonly #painter: Painter
  readonly #display: Display
  #actors: Actors | undefined
  #job: JobControl | undefined
  #hasOverflown = false

  /** Creates the screen of a conversation with `provider/model`. */
  constructor(options: StageOptions, model: string) {
    this.#options = options
    const { stdin, stdout, clock, colors, isForeground, onGone } = options
    const terminal = new Terminal({
      ...{ stdin, stdout, clock, isForeground, onGone },
      onKey: (key) => this.#actors?.key(key),
      onResizing: (size) => {
        this.#hasOverflown ||= this.#painter.overflows(size)
      },
      onResize: (size) => this.#resize(size),
    })
    this.#terminal = terminal
    this.#painter = new Painter({ stdout, write: terminal.write, colors, size: terminal.size })
    const screen = blankScreen(terminal.size, model)
    this.store = new Store(screen, clock, terminal.isSettled)
    this.#display = new Display(screen, { painter: this.#painter, clock, isReady: terminal.isSettled })
  }

  /** Resolves when all pending finished rows are drawn. */
  readonly drained = (): Promise<void> => this.#display.drained(this.store.screen.finished.length > 0)

  /** Takes the terminal over and draws. */
  open(actors: Actors): void {
    this.#actors = actors
    const { onRestorable, watchJob } = this.#options
    onRestorable(this.#terminal.restore)
    // Watch before the terminal is set up: a shell's changes to it during an unnoticed stop would stay.
    this.#job = watchJob({
      onStop: () => actors.attempt(() => this.suspend()),
      onContinue: () => actors.attempt(() => this.suspend(true)),
    })
    this.#terminal.open()
    this.store.subscribe(this.#display.show)
    this.#display.show(this.store.shown())
  }

  /** Hands the terminal to the shell until it is back. `isStopped`: the shell stopped the process unnoticed and continued it. */
  async suspend(isStopped = false): Promise<void> {
    const job = this.#job
    if (job === undefined) return
    const { clock, signal, isForeground } = this.#options
    await suspend(
      { store: this.store, terminal: this.#terminal, clock, job, signal, isForeground },
      isStopped,
    )
  }

  /** Draws what is still pending, erases the live rows and gives the terminal back. */
  close(): void {
    this.#terminal.settle()
    this.store.dispatch({ type: 'left' })
    this.store.close()
    this.#display.flush()
    this.#painter.close()
    // Close only now: the shell continues a stopped job after the signal to end it.
    this.#job?.close()
    this.#terminal.close()
  }

  #resize(size: Size): void {
    // Rows that have left the screen cannot be redrawn, so the shown draft stays as it is.
    const kept = this.#hasOverflown ? this.#display.draftRows : 0
    this.#hasOverflown = false
    this.#painter.erase(size, kept)
    if (kept > 0) this.store.amend({ type: 'draft_kept' })
    this.store.dispatch({ type: 'resized', size })
  }
}
