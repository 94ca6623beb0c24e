import { type Line, lineText } from '../rows/line.ts'
import { type Counted, matcher, type Source, type ViewSearch } from './source.ts'

/** Rows drawn for a width, and the indexes of those where a part begins. */
export interface Drawn {
  readonly rows: readonly Line[]
  readonly parts?: readonly number[]
}

/** Shows rows that are drawn for the width of the screen, once per width. Its places are indexes of rows. */
export class RowSource implements Source {
  readonly #draw: (width: number) => Drawn
  #drawn: { readonly width: number; readonly drawn: Drawn } | undefined

  constructor(draw: (width: number) => Drawn) {
    this.#draw = draw
  }

  end(width: number): number {
    return this.#rows(width).length
  }

  rows(at: number, width: number): readonly Line[] {
    return [this.#rows(width)[at] ?? []]
  }

  next(at: number, width: number): number {
    return Math.min(at + 1, this.end(width))
  }

  previous(at: number): number {
    return Math.max(0, at - 1)
  }

  *find(
    { words, from, isBackward }: ViewSearch,
    width: number,
  ): Generator<undefined, number | undefined, undefined> {
    const rows = this.#rows(width)
    const matches = matcher(words)
    const hits = (row: Line) => matches(lineText(row))
    const found = isBackward
      ? rows.slice(0, from).findLastIndex(hits)
      : rows.findIndex((row, i) => i >= from && hits(row))
    return found < 0 ? undefined : found
  }

  count(at: number, width: number): Counted {
    return { number: at + 1, total: this.end(width) }
  }

  parts(width: number): readonly number[] {
    return this.#at(width).parts ?? []
  }

  #rows(width: number): readonly Line[] {
    return this.#at(width).rows
  }

  #at(width: number): Drawn {
    if (this.#drawn?.width !== width) this.#drawn = { width, drawn: this.#draw(width) }
    return this.#drawn.drawn
  }
}
