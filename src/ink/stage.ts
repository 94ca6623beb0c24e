import type { Clock } from '../clock.ts'
import { type ClipboardFacts, clipboardDoubt, clipboardSequence } from '../terminal/clipboard.ts'
import type { TerminalName } from '../terminal/terminal-name.ts'
import type { FindLook } from '../tool.ts'
import type { Clipboard } from './clipboard-copy.ts'
import { type KeySettings, rebind } from './keys/rebind.ts'
import { Display } from './paint/display.ts'
import { Painter } from './paint/painter.tsx'
import type { ThemeName, ThemeSetting } from './rows/theme.ts'
import { blankScreen, type Size } from './state.ts'
import { Store } from './store.ts'
import { isLastReply, isXterm, terminalQuery, themeOf } from './tty/background.ts'
import { ClipboardQuery } from './tty/clipboard-query.ts'
import { CursorShape, shapeOf } from './tty/cursor-shape.ts'
import type { Key } from './tty/key.ts'
import { takesShapes } from './tty/modes.ts'
import type { Reshaped } from './tty/resizing.ts'
import { type JobControl, type JobHandlers, lend, suspend } from './tty/suspension.ts'
import { Terminal } from './tty/terminal.ts'
import { Window, type WindowSigns } from './tty/window-size.ts'
import { Cover } from './view/cover.ts'
import { withEditor } from './vim/vim-change.ts'

/** The terminal that a screen is shown on, and the process behind it. */
export interface StageOptions {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly clock: Clock
  /** Default: a terminal that is like most. */
  readonly terminalName?: TerminalName | undefined
  readonly theme: ThemeName
  /** Finds how calls of a tool look. Default: all alike. */
  readonly look?: FindLook | undefined
  /** Whether the terminal shows any colour. Default: false. */
  readonly hasTrueColor?: boolean
  /** Whether the terminal's cursor stands where the user writes, for input methods. Default: once a wide character was typed. */
  readonly hasCursor?: boolean | undefined
  /** The user's setting, which decides `theme`, or lets the terminal decide. Default: `auto`. */
  readonly themeSetting?: ThemeSetting
  /** The keys of the prompt. Default: those of shells. */
  readonly editor?: 'emacs' | 'vim' | undefined
  /** The user's keys, where they are not pipe's own. A wrong one makes the stage throw `config`. */
  readonly keys?: KeySettings | undefined
  /** The signs that the terminal shows outside its rows. Default: none. */
  readonly window?: WindowSigns
  /** Ends the screen. */
  readonly signal: AbortSignal
  /** Whether the terminal is still there after a failed write. */
  readonly isThere: () => boolean
  /** Called when the terminal is gone; must fire the signal. */
  readonly onGone: () => void
  /** Receives the function that restores the terminal, for exits that skip `finally`. */
  readonly onRestorable: (restore: () => void) => void
  /** Whether this process may change the terminal. */
  readonly isForeground: () => boolean
  /** Sets whether writes wait for a slow terminal. Default: they do. */
  readonly setBlocking?: ((isBlocking: boolean) => void) | undefined
  /** Calls back when the window may have changed, until the returned function is called. Default: only a new size is noticed. */
  readonly watchWindow?: (onChange: () => void) => () => void
  readonly watchJob: (handlers: JobHandlers) => JobControl
  /** Default: nothing speaks against it. */
  readonly clipboard?: ClipboardFacts
  /** Whether the terminal may be asked for its clipboard. Default: false. */
  readonly readsClipboard?: boolean | undefined
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
  readonly #cover: Cover
  readonly #window: Window
  readonly #shape: CursorShape
  readonly #clipboardQuery: ClipboardQuery
  #actors: Actors | undefined
  #job: JobControl | undefined
  #hasOverflown = false
  #name: TerminalName | undefined

  /** Creates the screen of a conversation with `provider/model`. `name` returns how the conversation is called, if it has a name. */
  constructor(options: StageOptions, model: string, name: () => string | undefined = () => undefined) {
    this.#options = options
    this.#name = options.terminalName
    const { stdin, stdout, clock, theme, isForeground, isThere, onGone } = options
    const window = new Window({ signs: options.window ?? {}, name, write: (bytes) => terminal.write(bytes) })
    this.#window = window
    const shape = new CursorShape({
      shape: () => shapeOf(this.store.screen),
      write: (bytes) => terminal.write(bytes),
    })
    this.#shape = shape
    const terminal = new Terminal({
      name: options.terminalName,
      takeMore: () => window.take() + shape.take(),
      refreshMore: () => window.refresh() + shape.take(),
      giveMore: () => shape.give() + window.give(),
      watchWindow: options.watchWindow,
      stdin,
      stdout,
      clock,
      isForeground,
      isThere,
      onGone,
      setBlocking: options.setBlocking,
      onKey: (key) => this.#actors?.key(key),
      onReply: (reply) => this.#hear(reply),
      onResizing: (size) => {
        this.#hasOverflown = this.#painter.noteResize(size) || this.#hasOverflown
      },
      onResize: (size, reshaped) => this.#resize(size, reshaped),
      onCaughtUp: () => this.store.dispatch({ type: 'tick', now: clock.monotonic() }),
    })
    this.#terminal = terminal
    this.#clipboardQuery = new ClipboardQuery({ clock, write: (bytes) => terminal.write(bytes) })
    this.#painter = new Painter({ stdout, clock, write: terminal.write })
    const blank = {
      ...blankScreen(terminal.size, model, theme),
      hasTrueColor: options.hasTrueColor ?? false,
      look: options.look ?? (() => ({})),
      // screen shows them as inverse.
      hasItalics: options.terminalName !== 'screen',
      hasCursorShapes: options.hasCursor !== false && takesShapes(options.terminalName),
    }
    const edited = { ...blank, prompt: withEditor(blank.prompt, options.editor === 'vim') }
    const screen = options.keys === undefined ? edited : { ...edited, bindings: rebind(options.keys) }
    this.store = new Store(screen, clock, terminal.isSettled)
    this.#display = new Display(screen, {
      painter: this.#painter,
      clock,
      isReady: terminal.isSettled,
      hasCursor: options.hasCursor,
      onCode: () => this.#actors?.attempt(() => this.#loadSyntax()),
    })
    this.#cover = new Cover({ display: this.#display, terminal })
  }

  /** Resolves when all pending finished rows are drawn, or wait until a view closes. */
  readonly drained = async (): Promise<void> => {
    if (!this.#cover.isOn) await this.#display.drained(this.store.screen.finished.length > 0)
  }

  /** The clipboard behind the terminal. */
  get clipboard(): Clipboard {
    const { clipboard: facts = { isTmux: false } } = this.#options
    return {
      doubtOf: (bytes) => clipboardDoubt(bytes, facts, this.#name),
      put: (text) => this.#terminal.write(clipboardSequence(text, facts)),
      ...(this.#options.readsClipboard === true && { read: () => this.#clipboardQuery.ask() }),
    }
  }

  /** Takes the terminal over and draws. */
  open(actors: Actors): void {
    this.#actors = actors
    const { onRestorable } = this.#options
    onRestorable(() => {
      this.#painter.lower()
      this.#terminal.restore()
    })
    // Watch before the terminal is set up: a shell's changes to it during an unnoticed stop would stay.
    this.#watch(actors)
    this.#terminal.open()
    this.store.subscribe(this.#cover.show)
    this.store.subscribe(this.#window.show)
    this.store.subscribe(this.#shape.show)
    this.store.show()
    const { theme, themeSetting = 'auto' } = this.#options
    const query = terminalQuery(this.#name, themeSetting === 'auto' && followsBackground(theme))
    if (query !== '') this.#terminal.ask(query)
  }

  /** Draws the live rows anew, at the size that the terminal has now, and sets its modes again. */
  redraw(): void {
    this.#terminal.rest()
  }

  /** Hands the terminal to the shell until it is back. `isStopped`: the shell stopped the process unnoticed and continued it. */
  async suspend(isStopped = false): Promise<void> {
    const job = this.#job
    if (job === undefined) return
    const { clock, signal, isForeground } = this.#options
    if (!isStopped) await this.#terminal.quiet()
    await suspend(
      { store: this.store, terminal: this.#terminal, clock, job, signal, isForeground },
      isStopped,
    )
  }

  /** Lends the terminal to a program, such as an editor, until `use` is over. Throws what `use` throws. */
  async lend(use: () => Promise<void>): Promise<void> {
    const { signal } = this.#options
    await this.#terminal.quiet()
    // The program shares the job: what stops it stops this process as well.
    this.#job?.close()
    try {
      await lend({ store: this.store, terminal: this.#terminal, signal, use })
    } finally {
      if (this.#actors !== undefined && !this.store.screen.isOver) this.#watch(this.#actors)
    }
  }

  /** Draws what is still pending, erases the live rows and gives the terminal back. */
  async close(): Promise<void> {
    this.#clipboardQuery.close()
    await this.#terminal.quiet()
    this.#terminal.settle()
    this.store.dispatch({ type: 'left' })
    this.store.close()
    this.#display.flush()
    this.#painter.close()
    // Close only now: the shell continues a stopped job after the signal to end it.
    this.#job?.close()
    this.#terminal.close()
  }

  #watch(actors: Actors): void {
    this.#job = this.#options.watchJob({
      onStop: () => actors.attempt(() => this.suspend()),
      onContinue: () => actors.attempt(() => this.suspend(true)),
    })
  }

  /** Takes an answer of the terminal. */
  #hear(reply: string): void {
    this.#window.hear(reply)
    this.#clipboardQuery.hear(reply)
    if (isLastReply(reply, this.#name)) this.#terminal.answered()
    if (isXterm(reply) && this.#name === 'xterm_like') {
      this.#name = 'xterm'
      this.#terminal.rename(this.#name)
    }
    const theme = themeOf(reply)
    const { screen } = this.store
    if (theme === undefined || theme === screen.theme || !followsBackground(screen.theme)) return
    this.store.dispatch({ type: 'theme', theme })
  }

  async #loadSyntax(): Promise<void> {
    const { clock } = this.#options
    const { createSyntax } = await import('./code/highlight.ts')
    // Keys are read in between: to load it and to highlight the first code takes longer than a frame.
    await new Promise<void>((resolve) => void clock.after(0, resolve))
    this.store.dispatch({ type: 'syntax_loaded', syntax: createSyntax() })
  }

  #resize(size: Size, reshaped: Reshaped): void {
    // Rows that have left the screen cannot be redrawn, so the shown draft stays as it is.
    const kept = this.#hasOverflown ? this.#display.draftRows : 0
    this.#hasOverflown = false
    // Under a view there are none, and what was drawn last still counts.
    if (!this.#cover.isOn) this.#painter.erase(size, kept, reshaped)
    if (kept > 0) this.store.amend({ type: 'draft_kept' })
    this.store.dispatch({ type: 'resized', size })
    // Nothing may be drawn at the old size once rows were erased.
    this.store.show()
  }
}

/** Whether another background means other colours. */
function followsBackground(theme: ThemeName): boolean {
  return theme === 'dark' || theme === 'light'
}
