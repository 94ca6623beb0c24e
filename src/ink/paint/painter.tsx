import { type Instance, render } from 'ink'
import type { Clock } from '../../clock.ts'
import { fitting, isEven } from '../rows/columns.ts'
import { type Line, lineText, paint } from '../rows/line.ts'
import { type Theme, themes } from '../rows/theme.ts'
import type { Size } from '../state.ts'
import { type CursorPlace, cursorIn, leavePlace, showPlace, takePlace } from '../tty/cursor.ts'
import { type Reshaped, resizeWaitMs } from '../tty/resizing.ts'
import { App } from './app.tsx'
import { changeRows, writeAbove } from './changed-rows.ts'
import { RowMarks } from './row-marks.ts'

export interface PainterOptions {
  readonly stdout: NodeJS.WriteStream
  readonly clock: Clock
  /** Writes to `stdout` at once, unless it is closed. */
  readonly write: (bytes: string) => void
}

/**
 * Writes rows to the terminal: finished rows once, which scroll away, and live rows below them, which Ink redraws when they change.
 * The cursor rests at the start of the row below them, or where the user writes. Nothing above the live rows is ever touched.
 */
export class Painter {
  readonly #options: PainterOptions
  readonly #canvas: NodeJS.WriteStream
  readonly #marks = new RowMarks()
  #ink: Instance | undefined
  #append: (text: string) => void = () => undefined
  #live: readonly Line[] = []
  /** The place of the cursor among the live rows, for input methods. Absent: it is hidden below them. */
  #cursor: CursorPlace | undefined
  /** The live rows as they are on the terminal. Empty: not known. */
  #rows: readonly string[] = []
  #theme: Theme = themes.none
  /** Monotonic time at which finished rows were written last. */
  #aboveAt = Number.NEGATIVE_INFINITY
  /** Whether finished rows may have been written in a window of another size, of which the news came late. */
  #isUnsure = false
  /** Buffers Ink's output while it must not reach the terminal. */
  #held: string[] | undefined

  constructor(options: PainterOptions) {
    this.#options = options
    this.#canvas = Object.create(options.stdout, {
      // All rows fit. Ink sees short marks in their place, and would clear screen and scrollback if it found too many of them.
      columns: { value: 80 },
      rows: { value: Number.MAX_SAFE_INTEGER },
      write: { value: this.#take },
      on: { value: () => this.#canvas },
      off: { value: () => this.#canvas },
    })
  }

  /**
   * Draws the live rows and writes the finished rows above them. No row may be wider than the window. With `isCursorShown` the terminal's
   * cursor stands where the user writes.
   */
  paint(finished: readonly Line[], live: readonly Line[], theme: Theme, isCursorShown = false): void {
    this.#live = live
    this.#theme = theme
    const [from, to] = [this.#cursor, isCursorShown ? cursorIn(live) : undefined]
    this.#cursor = to
    const rows = live.map((row) => paint(row, theme).trimEnd())
    const before = this.#rows
    // Ink draws no rows as a blank one, to which the cursor comes back.
    this.#rows = rows.length === 0 ? [''] : rows
    let isWritten = false
    const write = (bytes: string) => {
      isWritten = true
      const moved = leavePlace(from, before.length) + bytes + takePlace(to, rows.length)
      this.#options.write(moved + showPlace(from, to))
    }
    const above = finished.map((row) => paint(row, theme))
    if (above.length > 0) this.#aboveAt = this.#options.clock.monotonic()
    // Ink writes all live rows again when one of them changes, and twice when rows are written above them.
    const change = () => (above.length === 0 ? changeRows(before, rows) : writeAbove(above, before, rows))
    this.#hold(
      () => {
        this.#draw(rows.map((row) => this.#marks.markOf(row)))
        if (above.length > 0) this.#append(this.#marks.markAbove(above.map((row) => `${row}\n`).join('')))
      },
      rows.length > 0 ? () => write(change()) : write,
    )
    if (!isWritten && (from?.row !== to?.row || from?.column !== to?.column)) write('')
  }

  /** Notes a new size. Returns whether live rows have left the screen, if the terminal wraps those that are too wide for it. */
  noteResize({ columns, rows }: Size): boolean {
    this.#isUnsure ||= this.#options.clock.monotonic() - this.#aboveAt < resizeWaitMs
    const heights = this.#live.map((row) => this.#heightOf(row, columns, 'cells'))
    return heights.reduce((sum, height) => sum + height, 0) > rows - 1
  }

  /** Erases the live rows after a resize, except for the first `kept` ones. Rather leaves rows behind than erase one above them. */
  erase({ columns, rows }: Size, kept: number, { rewraps, lost }: Reshaped): void {
    const at = this.#cursor?.row ?? this.#live.length
    const wrapped = this.#isUnsure ? 'nothing' : rewraps
    this.#isUnsure = false
    let height = 0
    // Rows from the one with the cursor on. A terminal may not wrap that one, so the cursor counts as being in its first part.
    let below = 0
    for (const [i, row] of [...this.#live.entries()].slice(kept).toReversed()) {
      const next = this.#heightOf(row, columns, wrapped)
      // Rows further up have left the screen and cannot be erased.
      if (height + next > rows - 1) break
      height += next
      if (i >= at) below = height
    }
    // A cursor above the last row has moved up only if more rows were lost than those below it.
    const up = height - below - Math.max(0, lost - (this.#live.length - at))
    // It may have come to stand on a row that is none of these.
    const to = up < 0 ? '\n' : up === 0 ? '' : `\u001b[${up}A`
    if (this.#live.length > kept) this.#options.write(`\r${to}\u001b[J`)
    if (this.#cursor !== undefined) this.#options.write(showPlace(this.#cursor, undefined))
    this.#cursor = undefined
    // Ink counts the rows it wrote and cannot be reset, so a new instance starts from zero.
    this.#hold(
      () => this.close(),
      () => undefined,
    )
    this.#rows = []
  }

  /** Moves the cursor below the live rows, before a crash is reported there. Nothing may be painted afterwards. */
  lower(): void {
    this.#options.write(leavePlace(this.#cursor, this.#live.length))
    this.#cursor = undefined
  }

  /** Releases the terminal. The live rows stay. */
  close(): void {
    this.lower()
    this.#ink?.unmount()
    this.#ink = undefined
    this.#live = []
    this.#rows = []
  }

  /** Returns how many rows the terminal wraps a row into: at least, where terminals measure its text in different ways. */
  #heightOf(row: Line, columns: number, rewraps: Reshaped['rewraps']): number {
    const text = lineText(row)
    if (rewraps === 'nothing' || !isEven(text)) return 1
    const painted = paint(row, this.#theme)
    // Trailing spaces are not written, unless they have a tint.
    const blank = painted.length - painted.trimEnd().length
    const end = rewraps === 'text' ? text.trimEnd().length : text.length - blank
    let height = 1
    for (let at = fitting(text, 0, columns); at < end; height++) {
      at = Math.max(at + 1, fitting(text, at, columns))
    }
    return height
  }

  #draw(rows: readonly string[]): void {
    const app = <App rows={rows} onWriter={this.#setWriter} />
    // No limit: the store has one, and rows that Ink drew later would be missing from those known to be on the terminal.
    const options = { stdout: this.#canvas, exitOnCtrlC: false, patchConsole: false, maxFps: 0 }
    if (this.#ink === undefined) this.#ink = render(app, options)
    else this.#ink.rerender(app)
  }

  readonly #setWriter = (write: (text: string) => void): void => {
    this.#append = write
  }

  readonly #take = (bytes: string): boolean => {
    if (this.#held === undefined) this.#options.write(this.#marks.filled(bytes))
    else this.#held.push(bytes)
    return true
  }

  /** Calls `act`, then passes everything Ink wrote meanwhile to `finish`. */
  #hold(act: () => void, finish: (bytes: string) => void): void {
    this.#held = []
    try {
      act()
    } finally {
      const bytes = this.#held.join('')
      this.#held = undefined
      if (bytes !== '') finish(this.#marks.filled(bytes))
    }
  }
}
