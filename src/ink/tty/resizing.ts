import type { Clock } from '../../clock.ts'
import type { TerminalName } from '../../terminal/terminal-name.ts'
import type { Size } from '../state.ts'
import {
  leastReshaping,
  type Reshaping,
  reshapingOf,
  reshapingQuery,
  toldReshaping,
  toldRow,
} from './reshaping.ts'

/** Reports how a new size changed the rows on the screen. */
export interface Reshaped extends Pick<Reshaping, 'rewraps'> {
  /** How many rows the screen may have lost below the cursor's place of before. */
  readonly lost: number
}

export interface ResizingOptions {
  readonly clock: Clock
  readonly name: TerminalName | undefined
  /** Returns the size of the window now. */
  readonly size: () => Size
  /** Asks the terminal something. Returns false where its answer would go to another program. */
  readonly ask: (query: string) => boolean
  /** Called at each change of the window size. */
  readonly onResizing: (size: Size) => void
  /** Called when a new window size has been stable for a while, and what it did to the rows is known as far as it can be. */
  readonly onResize: (size: Size, reshaped: Reshaped) => void
}

/**
 * Time that a new window size must be stable before it is drawn. tmux reports a size up to 250 ms after it has rewrapped the
 * rows; rows drawn before that report could not be found again.
 */
export const resizeWaitMs = 300
/** Time after which no answer about a new size is expected any more. */
const answerWaitMs = 500

/** Follows the size of the window, and finds out what a change of it did to the rows on the screen. */
export class Resizing {
  readonly #options: ResizingOptions
  #reshaping: Reshaping | undefined
  /** The size that was drawn for. */
  #size: Size
  /** The fewest rows that the window had since. */
  #fewestRows: number
  #stopTimer: (() => void) | undefined
  #isAsking = false

  constructor(options: ResizingOptions) {
    this.#options = options
    this.#reshaping = reshapingOf(options.name)
    this.#size = options.size()
    this.#fewestRows = this.#size.rows
  }

  /** Returns whether the size is the one that was drawn for. Queries it from the terminal itself. */
  isSettled(): boolean {
    if (this.#stopTimer === undefined && !isSame(this.#options.size(), this.#size)) this.change()
    return this.#stopTimer === undefined
  }

  /** Notes that the window has another size. */
  readonly change = (): void => {
    const { clock, size, onResizing } = this.#options
    const now = size()
    this.#fewestRows = Math.min(this.#fewestRows, now.rows)
    onResizing(now)
    this.close()
    this.#stopTimer = clock.after(resizeWaitMs, this.#onRest)
  }

  /** Takes a reply of the terminal. */
  hear(reply: string): void {
    this.#reshaping = toldReshaping(reply) ?? this.#reshaping
    const row = toldRow(reply)
    if (this.#isAsking && row !== undefined) this.#finish(row)
  }

  /** Applies a new size without waiting until it is stable. */
  settle(): void {
    if (this.#stopTimer !== undefined) this.rest()
  }

  /** Applies the size of now, whether it has changed or not. */
  readonly rest = (): void => this.#finish(this.#fewestRows)

  /** Forgets a change that is not applied yet. */
  close(): void {
    this.#stopTimer?.()
    this.#stopTimer = undefined
    this.#isAsking = false
  }

  readonly #onRest = (): void => {
    const { clock, name, ask } = this.#options
    // One that may be any may also have become another one, as behind dtach.
    this.#isAsking = reshapingOf(name) === undefined && ask(reshapingQuery)
    if (this.#isAsking) this.#stopTimer = clock.after(answerWaitMs, this.rest)
    else this.rest()
  }

  /** `row` is that of the cursor. Above the last one that the window had, no row was lost. */
  #finish(row: number): void {
    this.close()
    const { rewraps, losesRows } = this.#reshaping ?? leastReshaping
    const lost = losesRows && row >= this.#fewestRows ? this.#size.rows - this.#fewestRows : 0
    this.#size = this.#options.size()
    this.#fewestRows = this.#size.rows
    this.#options.onResize(this.#size, { rewraps, lost })
  }
}

function isSame(a: Size, b: Size): boolean {
  return a.columns === b.columns && a.rows === b.rows
}
