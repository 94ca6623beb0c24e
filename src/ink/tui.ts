import type { Clock } from '../clock.ts'
import type { Abilities, ConversationView } from '../conversation-view.ts'
import { Controller } from './controller.ts'
import { Display } from './display.ts'
import { Painter } from './painter.tsx'
import { blankScreen, type Size } from './state.ts'
import { Store } from './store.ts'
import { type JobControl, type JobHandlers, suspend } from './suspension.ts'
import { Terminal } from './terminal.ts'

export interface TuiOptions {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly clock: Clock
  readonly colors: boolean
  readonly view: ConversationView
  readonly abilities: Abilities
  /** Ends the conversation. */
  readonly signal: AbortSignal
  /** Called when the terminal is gone; must fire the signal. */
  readonly onGone: () => void
  /** Receives the function that restores the terminal, for exits that skip `finally`. */
  readonly onRestorable: (restore: () => void) => void
  /** Whether this process may change the terminal. */
  readonly isForeground: () => boolean
  readonly watchJob: (handlers: JobHandlers) => JobControl
  /** Calls back for each external interrupt, until the returned function is called. */
  readonly watchInterrupt: (onInterrupt: () => void) => () => void
}

/** The result of a conversation in the terminal. */
export interface TuiEnd {
  /** Id of the session to resume, if it has any messages. */
  readonly sessionId: string | undefined
}

/** Runs a conversation in the terminal. Resolves when the user quits or the signal fires. */
export async function runTui(options: TuiOptions): Promise<TuiEnd> {
  const { stdin, stdout, clock, view, abilities, signal, isForeground } = options
  const quit = () => controller.quit()
  let hasOverflown = false
  const onResizing = (size: Size) => {
    hasOverflown ||= painter.overflows(size)
  }
  const onResize = (size: Size) => {
    // Rows that have left the screen cannot be redrawn, so the shown draft stays as it is.
    const kept = hasOverflown ? display.draftRows : 0
    hasOverflown = false
    painter.erase(size, kept)
    if (kept > 0) store.amend({ type: 'draft_kept' })
    store.dispatch({ type: 'resized', size })
  }
  const terminal = new Terminal({
    stdin,
    stdout,
    clock,
    isForeground,
    onKey: (key) => controller.key(key),
    onResizing,
    onResize,
    onGone: options.onGone,
  })
  const painter = new Painter({ stdout, write: terminal.write, colors: options.colors, size: terminal.size })
  const screen = blankScreen(terminal.size, view.model)
  const store = new Store(screen, clock, terminal.isSettled)
  const display = new Display(screen, { painter, clock, isReady: terminal.isSettled })
  const aside = (isStopped: boolean) =>
    suspend({ store, terminal, clock, job, signal, isForeground }, isStopped)
  const drained = () => display.drained(store.screen.finished.length > 0)
  const controller = new Controller({ store, clock, abilities, view, suspend: () => aside(false), drained })
  options.onRestorable(terminal.restore)
  // Watch before the terminal is set up: a shell's changes to it during an unnoticed stop would stay.
  const job = options.watchJob({
    onStop: () => controller.attempt(() => aside(false)),
    onContinue: () => controller.attempt(() => aside(true)),
  })
  const unwatchInterrupt = options.watchInterrupt(() => controller.interrupt())
  terminal.open()
  store.subscribe(display.show)
  display.show(store.shown())
  signal.addEventListener('abort', quit, { once: true })
  try {
    if (signal.aborted) quit()
    else controller.start()
    await controller.done
  } finally {
    signal.removeEventListener('abort', quit)
    unwatchInterrupt()
    await controller.close()
    terminal.settle()
    store.dispatch({ type: 'left' })
    store.close()
    display.flush()
    painter.close()
    // Close only now: the shell continues a stopped job after the signal to end it.
    job.close()
    terminal.close()
  }
  return { sessionId: controller.resumable }
}
