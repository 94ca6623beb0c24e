import type { Clock } from '../../clock.ts'
import { fitting, isEven } from '../rows/columns.ts'
import { plainRow } from '../rows/in-columns.ts'
import type { Size } from '../state.ts'
import { type CursorPlace, leavePlace, showPlace, takePlace } from '../tty/cursor.ts'
import { type Reshaped, resizeWaitMs } from '../tty/resizing.ts'
import { changeRows, writeAbove } from './changed-rows.ts'

export interface FrameStreamOptions {
  readonly stdout: NodeJS.WriteStream
  readonly clock: Clock
  /** Writes to `stdout` at once, unless it is closed. */
  readonly write: (bytes: string) => void
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: Ink erases its last frame with control sequences
const erasing = /^(?:\u001b\[2K(?:\u001b\[1A)?)*(?:\u001b\[G)?/

/**
 * The stream that Ink writes its frames to, and the only way from there to the terminal. It compares each frame with the rows on the
 * terminal and writes those that changed. The cursor rests at the start of the row below them, or where the user writes. Nothing above
 * the live rows is ever touched.
 */
export class FrameStream {
  /** The output of an Ink instance, as wide as the screen. Ink clears screen and scrollback if rows do not fit, so all of them do. */
  readonly output: NodeJS.WriteStream
  #size: Size = { columns: 80, rows: 24 }
  readonly #options: FrameStreamOptions
  /** The rows of Ink's last frame. */
  #frame: readonly string[] = ['']
  /** Finished rows that Ink has written since the last flush. */
  #above: string[] = []
  /** Whether Ink writes finished rows next: it erases its frame first. */
  #isAbove = false
  /** The live rows as they are on the terminal. Empty: not known. */
  #rows: readonly string[] = []
  /** The place of the cursor among the live rows, for input methods. Absent: it is hidden below them. */
  #cursor: CursorPlace | undefined
  /** Monotonic time at which finished rows were written last. */
  #aboveAt = Number.NEGATIVE_INFINITY
  /** Whether finished rows may have been written in a window of another size, of which the news came late. */
  #isUnsure = false

  constructor(options: FrameStreamOptions) {
    this.#options = options
    this.output = Object.create(options.stdout, {
      columns: { get: () => this.#size.columns },
      rows: { value: Number.MAX_SAFE_INTEGER },
      // Ink leaves the modes of a terminal to those who set them.
      isTTY: { value: false },
      write: { value: this.#take },
      on: { value: () => this.output },
      off: { value: () => this.output },
    })
  }

  /** Sets the size of the screen that the next frame is laid out for. */
  fit(size: Size): void {
    this.#size = size
  }

  /**
   * Writes what changed since the last flush: of a frame that is higher than its room, the last rows. Leaves the cursor at its place in
   * the frame, or hidden below it.
   */
  flush(caret: CursorPlace | undefined): void {
    const from = this.#cursor
    const after = this.#frame.slice(-liveRoom(this.#size))
    const [before, above] = [this.#rows, this.#above]
    const cut = this.#frame.length - after.length
    const to = caret === undefined || caret.row < cut ? undefined : { ...caret, row: caret.row - cut }
    this.#rows = after
    this.#above = []
    this.#cursor = to
    if (above.length > 0) this.#aboveAt = this.#options.clock.monotonic()
    const change = above.length === 0 ? changeRows(before, after) : writeAbove(above, before, after)
    const isMoved = from?.row !== to?.row || from?.column !== to?.column
    if (change === '' && !isMoved) return
    const moved = leavePlace(from, before.length) + change + takePlace(to, after.length)
    this.#options.write(moved + showPlace(from, to))
  }

  /** Notes a new size. Returns whether live rows have left the screen, if the terminal wraps those that are too wide for it. */
  noteResize({ columns, rows }: Size): boolean {
    this.#isUnsure ||= this.#options.clock.monotonic() - this.#aboveAt < resizeWaitMs
    const heights = this.#live.map((row) => heightOf(row, columns, 'cells'))
    return heights.reduce((sum, height) => sum + height, 0) > rows - 1
  }

  /** Erases the live rows after a resize, except for the first `kept` ones. Rather leaves rows behind than erase one above them. */
  erase({ columns, rows }: Size, kept: number, { rewraps, lost }: Reshaped): void {
    const live = this.#live
    const at = this.#cursor?.row ?? live.length
    const wrapped = this.#isUnsure ? 'nothing' : rewraps
    this.#isUnsure = false
    let height = 0
    // Rows from the one with the cursor on. A terminal may not wrap that one, so the cursor counts as being in its first part.
    let below = 0
    for (const [i, row] of [...live.entries()].slice(kept).toReversed()) {
      const next = heightOf(row, columns, wrapped)
      // Rows further up have left the screen and cannot be erased.
      if (height + next > rows - 1) break
      height += next
      if (i >= at) below = height
    }
    // A cursor above the last row has moved up only if more rows were lost than those below it.
    const up = height - below - Math.max(0, lost - (live.length - at))
    // It may have come to stand on a row that is none of these.
    const to = up < 0 ? '\n' : up === 0 ? '' : `\u001b[${up}A`
    if (live.length > kept) this.#options.write(`\r${to}\u001b[J`)
    if (this.#cursor !== undefined) this.#options.write(showPlace(this.#cursor, undefined))
    this.#cursor = undefined
    this.#rows = []
  }

  /** Moves the cursor below the live rows, before a crash is reported there. Nothing may be written afterwards. */
  lower(): void {
    this.#options.write(leavePlace(this.#cursor, this.#rows.length))
    this.#cursor = undefined
  }

  /** The live rows on the terminal. Ink draws no rows as a blank one. */
  get #live(): readonly string[] {
    const [first, ...others] = this.#rows
    return first === '' && others.length === 0 ? [] : this.#rows
  }

  readonly #take = (bytes: string, done?: unknown): boolean => {
    const text = bytes.replace(erasing, '')
    if (text === '') this.#isAbove = true
    else if (this.#isAbove) this.#above.push(...rowsIn(text))
    else this.#frame = rowsIn(text)
    if (text !== '') this.#isAbove = false
    if (typeof done === 'function') done()
    return true
  }
}

/** Returns how many live rows a screen has room for. */
export function liveRoom({ rows }: Size): number {
  return Math.max(1, rows - 2)
}

/** Splits text whose every row ends in a line break. */
function rowsIn(text: string): readonly string[] {
  return text.slice(0, -1).split('\n')
}

/** Returns how many rows the terminal wraps a row into: at least, where terminals measure its text in different ways. */
function heightOf(row: string, columns: number, rewraps: Reshaped['rewraps']): number {
  const text = plainRow(row)
  if (rewraps === 'nothing' || !isEven(text)) return 1
  // Spaces at the end of a row belong to a tint.
  const end = rewraps === 'text' ? text.trimEnd().length : text.length
  let height = 1
  for (let at = fitting(text, 0, columns); at < end; height++) {
    at = Math.max(at + 1, fitting(text, at, columns))
  }
  return height
}
