import type { Display } from '../paint/display.ts'
import { themeOn } from '../rows/theme.ts'
import type { Entry, Size } from '../state.ts'
import type { Shown } from '../store.ts'
import type { Terminal } from '../tty/terminal.ts'
import { AlternateScreen } from './alternate.ts'
import { drawView } from './view-draw.ts'

export interface CoverOptions {
  readonly display: Display
  readonly terminal: Terminal
}

/**
 * Hides the conversation while a view is open, which is shown on the terminal's other screen, or while the terminal is away. The
 * conversation goes on: its rows are written once it is seen again.
 */
export class Cover {
  readonly #options: CoverOptions
  readonly #screen: AlternateScreen
  #isOn = false
  #size: Size | undefined
  /** Entries that became final meanwhile. */
  #held: Entry[] = []

  constructor(options: CoverOptions) {
    this.#options = options
    this.#screen = new AlternateScreen(options.terminal.write)
  }

  /** Whether the conversation is hidden. */
  get isOn(): boolean {
    return this.#isOn
  }

  readonly show = ({ screen, finished }: Shown): void => {
    const { display, terminal } = this.#options
    const { view, isAway, isOver } = screen
    if (isOver || (view === undefined && !isAway)) {
      const held = this.#held.splice(0)
      this.#isOn = false
      terminal.uncover()
      display.show({ screen, finished: held.length === 0 ? finished : [...held, ...finished] })
      return
    }
    for (const entry of finished) this.#held.push(entry)
    if (!this.#isOn) {
      // The live rows go: they could not be found again after a resize.
      display.flush()
      display.show({ screen: { ...screen, isAway: true }, finished: [] })
      this.#isOn = true
    }
    if (view === undefined || isAway) {
      terminal.uncover()
      return
    }
    if (terminal.cover() || this.#size !== screen.size) this.#screen.forget()
    this.#size = screen.size
    this.#screen.draw(drawView(screen, view), themeOn(screen))
  }
}
