import { type Instance, render } from 'ink'
import { App } from './app.tsx'
import { fitting } from './columns.ts'
import { type Line, lineText, paint } from './line.ts'
import type { Size } from './state.ts'

export interface PainterOptions {
  readonly stdout: NodeJS.WriteStream
  /** Writes to `stdout` at once, unless it is closed. */
  readonly write: (bytes: string) => void
  readonly colors: boolean
  readonly size: Size
}

/**
 * Writes rows to the terminal: finished rows once, which scroll away, and live rows below them, which Ink redraws when they change.
 * The cursor rests at the start of the row below them. Nothing above the live rows is ever touched.
 */
export class Painter {
  readonly #options: PainterOptions
  readonly #canvas: NodeJS.WriteStream
  #columns: number
  #ink: Instance | undefined
  #append: (text: string) => void = () => undefined
  #live: readonly Line[] = []
  /** Buffers Ink's output while it must not reach the terminal. */
  #held: string[] | undefined

  constructor(options: PainterOptions) {
    this.#options = options
    this.#columns = options.size.columns
    this.#canvas = Object.create(options.stdout, {
      columns: { get: () => this.#columns },
      // Ink clears screen and scrollback if it finds the live rows too tall. They always fit, so it sees no limit.
      rows: { value: Number.MAX_SAFE_INTEGER },
      write: { value: this.#take },
      on: { value: () => this.#canvas },
      off: { value: () => this.#canvas },
    })
  }

  /** Draws the live rows and writes the finished rows above them. No row may be wider than the window. */
  paint(finished: readonly Line[], live: readonly Line[]): void {
    this.#live = live
    this.#hold(() => {
      this.#draw(live.map((row) => paint(row, this.#options.colors)))
      if (finished.length > 0) {
        this.#append(finished.map((row) => `${paint(row, this.#options.colors)}\n`).join(''))
      }
    }, this.#options.write)
  }

  /** Whether live rows have left the screen after the terminal wrapped the rows that are too wide for the new size. */
  overflows({ columns, rows }: Size): boolean {
    const heights = this.#live.map((row) => this.#heightOf(row, columns))
    return heights.reduce((sum, height) => sum + height, 0) > rows - 1
  }

  /** Erases the live rows after a resize, except for the first `kept` ones. */
  erase({ columns, rows }: Size, kept: number): void {
    let height = 0
    for (const row of this.#live.slice(kept).toReversed()) {
      const next = this.#heightOf(row, columns)
      // Rows further up have left the screen and cannot be erased.
      if (height + next > rows - 1) break
      height += next
    }
    if (this.#live.length > kept) this.#options.write(`\r${height === 0 ? '' : `\u001b[${height}A`}\u001b[J`)
    // Ink counts the rows it wrote and cannot be reset, so a new instance starts from zero.
    this.#hold(
      () => this.close(),
      () => undefined,
    )
    this.#columns = columns
  }

  /** Releases the terminal. The live rows stay. */
  close(): void {
    this.#ink?.unmount()
    this.#ink = undefined
    this.#live = []
  }

  /** Returns how many rows the terminal wraps a row into. */
  #heightOf(row: Line, columns: number): number {
    const text = lineText(row)
    const painted = paint(row, this.#options.colors)
    // Ink trims trailing spaces.
    const blank = painted.length - painted.trimEnd().length
    let height = 1
    for (let at = fitting(text, 0, columns); at < text.length - blank; height++) {
      at = Math.max(at + 1, fitting(text, at, columns))
    }
    return height
  }

  #draw(rows: readonly string[]): void {
    const app = <App rows={rows} onWriter={this.#setWriter} />
    // The store already limits how often the screen is drawn.
    const options = { stdout: this.#canvas, exitOnCtrlC: false, patchConsole: false, maxFps: 1_000 }
    if (this.#ink === undefined) this.#ink = render(app, options)
    else this.#ink.rerender(app)
  }

  readonly #setWriter = (write: (text: string) => void): void => {
    this.#append = write
  }

  readonly #take = (bytes: string): boolean => {
    if (this.#held === undefined) this.#options.write(bytes)
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
      if (bytes !== '') finish(bytes)
    }
  }
}
