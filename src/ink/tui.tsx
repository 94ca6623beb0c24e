import { render } from 'ink'
import type { Clock } from '../clock.ts'
import { App } from './app.tsx'
import { createCanvas } from './canvas.ts'
import { Controller } from './controller.ts'
import { drawLive } from './live.ts'
import { blankScreen, type Size } from './state.ts'
import { Store } from './store.ts'
import { drawn, type JobControl, type JobHandlers, suspend } from './suspension.ts'
import type { Abilities, Talk } from './talk.ts'
import { Terminal } from './terminal.ts'

export interface TuiOptions {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly clock: Clock
  readonly colors: boolean
  readonly talk: Talk
  readonly abilities: Abilities
  /** Ends it from outside. */
  readonly signal: AbortSignal
  /** Given what leaves the terminal as it was found, for deaths that no `finally` sees. */
  readonly onRestorable: (restore: () => void) => void
  readonly watchJob: (handlers: JobHandlers) => JobControl
}

/** What is left when the person has gone. */
export interface TuiEnd {
  /** The session to go on with, where something was said in it. */
  readonly sessionId: string | undefined
}

/** A conversation on the whole of a terminal's attention. Resolves when the person quits or the signal fires. */
export async function runTui(options: TuiOptions): Promise<TuiEnd> {
  const { stdin, stdout, clock, talk, abilities, signal } = options
  const quit = () => controller.quit()
  const onResizing = ({ columns }: Size) => {
    if (columns < store.screen.size.columns) store.hold()
  }
  const onResize = (size: Size) => {
    canvas.resize(size, drawLive(store.shown().screen))
    store.dispatch({ type: 'resized', size })
    canvas.redraw()
  }
  const terminal = new Terminal({
    stdin,
    stdout,
    clock,
    onKey: (key) => controller.key(key),
    onResizing,
    onResize,
    onGone: quit,
  })
  const { size } = terminal
  const canvas = createCanvas(stdout, size)
  const store = new Store(blankScreen(size, talk.model), clock)
  const aside = (stop?: () => void) => suspend({ store, terminal, canvas, clock, signal }, stop)
  const controller = new Controller({ store, clock, abilities, talk, suspend: () => aside(job.stop) })
  options.onRestorable(terminal.restore)
  // Before the terminal is set up: what a shell did to it in a stop that went unheard would stay.
  const job = options.watchJob({
    onStop: () => controller.attempt(() => aside(job.stop)),
    onContinue: () => (signal.aborted ? terminal.yield() : controller.attempt(() => aside())),
  })
  terminal.open()
  const app = render(<App store={store} colors={options.colors} />, {
    stdout: canvas.stdout,
    stdin,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: 30,
  })
  signal.addEventListener('abort', quit, { once: true })
  try {
    if (signal.aborted) quit()
    await controller.done
  } finally {
    signal.removeEventListener('abort', quit)
    await controller.close()
    store.dispatch({ type: 'left' })
    store.close()
    await drawn(clock)
    app.unmount()
    // Not before: the shell wakes a stopped job after it has told it to end.
    job.close()
    terminal.close()
  }
  return { sessionId: controller.resumable }
}
