import { inColumns } from '../rows/in-columns.ts'
import { type Line, paint } from '../rows/line.ts'
import type { Theme } from '../rows/theme.ts'

/** Draws rows on a screen that it has to itself: each time only those that differ. */
export class AlternateScreen {
  readonly #write: (bytes: string) => void
  /** The rows on the screen, as bytes. */
  #rows: readonly string[] = []

  constructor(write: (bytes: string) => void) {
    this.#write = write
  }

  /** Forgets what is on the screen: the next drawing erases it. */
  forget(): void {
    this.#rows = []
  }

  /** Draws the rows from the top. None may be wider than the screen. */
  draw(lines: readonly Line[], theme: Theme): void {
    const before = this.#rows
    const rows = lines.map((row) => inColumns(paint(row, theme)))
    const changed = rows.flatMap((row, i) => (row === before[i] ? [] : [`\u001b[${i + 1};1H${row}\u001b[K`]))
    const erased = before.length === 0 ? '\u001b[H\u001b[2J' : ''
    this.#rows = rows
    if (changed.length > 0) this.#write(erased + changed.join(''))
  }
}
