import type { RecordFormat } from './input-record.ts'

/** Finds the ends of records in the bytes of an input, piece by piece. */
export interface Boundary {
  /** Returns the place of the byte that ends the record; -1 if it goes on behind this piece. */
  find(piece: Uint8Array, from: number): number
  /** Whether the input may end here: not inside of quotes. */
  readonly isClosed: boolean
}

const newline = 0x0a
const carriageReturn = 0x0d
const quote = 0x22
const comma = 0x2c

/** Creates the boundary of a format. */
export function boundaryOf(format: RecordFormat): Boundary {
  return format === 'csv' ? new RowBoundary() : byteBoundary(format === 'nul' ? 0 : newline)
}

function byteBoundary(byte: number): Boundary {
  return { find: (piece, from) => piece.indexOf(byte, from), isClosed: true }
}

/** Ends a row of CSV at a line break outside of quotes. A quote counts only where a field begins. */
class RowBoundary implements Boundary {
  #at: 'field_start' | 'plain' | 'quoted' | 'quote' = 'field_start'

  get isClosed(): boolean {
    return this.#at !== 'quoted'
  }

  find(piece: Uint8Array, from: number): number {
    for (let i = from; i < piece.length; i++) {
      const byte = piece[i]
      if (this.#at === 'quoted') {
        // Most bytes of a long field need no look of their own.
        const next = piece.indexOf(quote, i)
        if (next === -1) return -1
        i = next
        this.#at = 'quote'
      } else if (byte === newline) {
        this.#at = 'field_start'
        return i
      } else if (byte === quote && this.#at !== 'plain') this.#at = 'quoted'
      else if (byte === comma) this.#at = 'field_start'
      else if (byte !== carriageReturn) this.#at = 'plain'
    }
    return -1
  }
}
