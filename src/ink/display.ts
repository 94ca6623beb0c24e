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
  /** Whether the terminal can be drawn to. If not, pending rows are drawn with the next screen. */
  readonly isReady: () => boolean
}

/** Limits of one chunk: finished rows, and characters of them. */
const chunkRows = 200
const chunkCharacters = 16_000
/** Pause between two chunks, in which keys are read. */
const chunkPauseMs = 5

/** Draws the store's screen: finished entries once, in chunks, and the live rows below them. */
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

  /** Draws the live rows now and queues the finished entries. */
  readonly show = ({ screen, finished }: Shown): void => {
    this.#screen = screen
    if (finished.length > 0) {
      this.#entries = [...this.#entries.slice(this.#next), ...finished]
      this.#next = 0
    }
    // While chunks are pending, a key only redraws the live rows.
    if (this.#stopTimer === undefined) this.#drawChunk()
    else this.#options.painter.paint([], drawLive(screen))
  }

  /** Resolves when no finished row is pending. With `isMore` it waits for the next ones too. */
  drained(isMore: boolean): Promise<void> {
    if (!isMore && !this.#isDue) return Promise.resolve()
    return new Promise((resolve) => this.#waiters.push(resolve))
  }

  /** Number of leading live rows that hold the whole draft. 0 while finished rows, which belong above it, are pending. */
  get draftRows(): number {
    return this.#isDue ? 0 : wholeDraftRows(this.#screen)
  }

  /** Draws everything still pending. */
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
      this.#stopTimer = clock.after(chunkPauseMs, () => this.#drawChunk())
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
