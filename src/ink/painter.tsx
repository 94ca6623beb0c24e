import { type Instance, render } from 'ink'
import { App } from './app.tsx'
import { fitting } from './columns.ts'
import { type Line, lineText, paint } from './line.ts'
import type { Size } from './state.ts'

export interface PainterOptions {
  readonly stdout: NodeJS.WriteStream
  /** Writes to it at once, unless it is gone. */
  readonly write: (bytes: string) => void
  readonly colors: boolean
  readonly size: Size
}

/**
 * Puts rows on the terminal: finished ones once, which scroll away, and live ones below them, which Ink draws over when they change.
 * The cursor rests at the beginning of the row below. Nothing above the live rows is ever touched.
 */
export class Painter {
  readonly #options: PainterOptions
  readonly #canvas: NodeJS.WriteStream
  #columns: number
  #ink: Instance | undefined
  #append: (text: string) => void = () => undefined
  #live: readonly Line[] = []
  /** Collects what Ink writes while it must not reach the terminal yet. */
  #held: string[] | undefined

  constructor(options: PainterOptions) {
    this.#options = options
    this.#columns = options.size.columns
    this.#canvas = Object.create(options.stdout, {
      columns: { get: () => this.#columns },
      // Ink wipes screen and scrollback where it fears that the live rows do not fit, and they are made to fit.
      rows: { value: Number.MAX_SAFE_INTEGER },
      write: { value: this.#take },
      on: { value: () => this.#canvas },
      off: { value: () => this.#canvas },
    })
  }

  /** Writes the finished rows above the live ones. No row may be wider than the window. */
  paint(finished: readonly Line[], live: readonly Line[]): void {
    this.#live = live
    this.#hold(() => {
      this.#draw(live.map((row) => paint(row, this.#options.colors)))
      if (finished.length > 0) {
        this.#append(finished.map((row) => `${paint(row, this.#options.colors)}\n`).join(''))
      }
    }, this.#options.write)
  }

  /** Whether live rows have left the screen, now that its terminal has wrapped those that are too wide for a new size. */
  overflows({ columns, rows }: Size): boolean {
    const heights = this.#live.map((row) => this.#heightOf(row, columns))
    return heights.reduce((sum, height) => sum + height, 0) > rows - 1
  }

  /** Erases the live rows after the window was resized, except for the first ones, `kept` in number. */
  erase({ columns, rows }: Size, kept: number): void {
    let height = 0
    for (const row of this.#live.slice(kept).toReversed()) {
      const next = this.#heightOf(row, columns)
      // Rows above have left the screen and cannot be erased.
      if (height + next > rows - 1) break
      height += next
    }
    if (this.#live.length > kept) this.#options.write(`\r${height === 0 ? '' : `\u001b[${height}A`}\u001b[J`)
    // Ink knows its rows by the number that it wrote, and cannot be told that they are gone: another one begins anew.
    this.#hold(
      () => this.close(),
      () => undefined,
    )
    this.#columns = columns
  }

  /** Lets go of the terminal. The live rows stay. */
  close(): void {
    this.#ink?.unmount()
    this.#ink = undefined
    this.#live = []
  }

  /** Rows that a terminal makes of one that may be too wide for it. */
  #heightOf(row: Line, columns: number): number {
    const text = lineText(row)
    const painted = paint(row, this.#options.colors)
    // Ink leaves out the spaces at the end.
    const blank = painted.length - painted.trimEnd().length
    let height = 1
    for (let at = fitting(text, 0, columns); at < text.length - blank; height++) {
      at = Math.max(at + 1, fitting(text, at, columns))
    }
    return height
  }

  #draw(rows: readonly string[]): void {
    const app = <App rows={rows} onWriter={this.#setWriter} />
    // The display already limits how often it draws.
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

  /** Acts, and does something with all that Ink has written then. */
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
