import type { Clock } from '../clock.ts'
import { drawEntry } from './entry.ts'
import { type Line, lineText } from './line.ts'
import { drawLive, wholeDraftRows } from './live.ts'
import type { Painter } from './painter.tsx'
import type { Entry, Screen } from './state.ts'
import type { Shown } from './store.ts'

export interface DisplayOptions {
  readonly painter: Painter
  readonly clock: Clock
  /** Whether there is anywhere to draw. What is due is drawn when the next screen is shown. */
  readonly isReady: () => boolean
}

/** How many finished rows, and characters of them, are written at a time. */
const chunkRows = 200
const chunkCharacters = 16_000
/** Milliseconds between two chunks, in which keys are read. */
const chunkPause = 5

/** Draws what the store shows: finished entries once, in chunks, and the live rows below them. */
export class Display {
  readonly #options: DisplayOptions
  /** Finished entries; those before `#next` are drawn. */
  #entries: readonly Entry[] = []
  #next = 0
  #previous: Entry | undefined
  #screen: Screen
  #stopTimer: (() => void) | undefined
  #waiters: (() => void)[] = []

  constructor(screen: Screen, options: DisplayOptions) {
    this.#screen = screen
    this.#options = options
  }

  /** Draws the screen now, and what it has finished in its turn. */
  readonly show = ({ screen, finished }: Shown): void => {
    this.#screen = screen
    if (finished.length > 0) {
      this.#entries = [...this.#entries.slice(this.#next), ...finished]
      this.#next = 0
    }
    // While chunks are due, a key pays for its own echo only.
    if (this.#stopTimer === undefined) this.#drawChunk()
    else this.#options.painter.paint([], drawLive(screen))
  }

  /** Resolves when no finished row is due, with `isMore` not before the next ones are drawn. */
  drained(isMore: boolean): Promise<void> {
    if (!isMore && !this.#isDue) return Promise.resolve()
    return new Promise((resolve) => this.#waiters.push(resolve))
  }

  /** How many of the first live rows are the whole draft. None while finished rows are due, which belong above it. */
  get draftRows(): number {
    return this.#isDue ? 0 : wholeDraftRows(this.#screen)
  }

  /** Draws everything that is still due. */
  flush(): void {
    this.#stopTimer?.()
    while (this.#isDue) this.#paintChunk()
  }

  get #isDue(): boolean {
    return this.#next < this.#entries.length
  }

  #drawChunk(): void {
    const { clock, isReady } = this.#options
    this.#stopTimer = undefined
    if (!isReady()) return
    this.#paintChunk()
    if (this.#isDue) {
      this.#stopTimer = clock.after(chunkPause, () => this.#drawChunk())
      return
    }
    for (const resolve of this.#waiters.splice(0)) resolve()
  }

  #paintChunk(): void {
    this.#options.painter.paint(this.#takeChunk(), drawLive(this.#screen))
  }

  #takeChunk(): readonly Line[] {
    const rows: Line[] = []
    const { columns } = this.#screen.size
    for (let length = 0; rows.length < chunkRows && length < chunkCharacters; this.#next++) {
      const entry = this.#entries[this.#next]
      if (entry === undefined) break
      for (const row of drawEntry(entry, columns, this.#previous)) {
        length += lineText(row).length
        rows.push(row)
      }
      this.#previous = entry
    }
    if (!this.#isDue) {
      this.#entries = []
      this.#next = 0
    }
    return rows
  }
}
