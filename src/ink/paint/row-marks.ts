/** Marks that are kept, which are those of several screens: Ink may write a screen again after the next one was drawn. */
const keptMarks = 1_000

/** The mark of the text above the rows. */
const above = '<0>'

/**
 * Short marks that Ink lays out in place of rows. It takes apart every character of its text in each frame, which costs more
 * than everything else that a frame needs. Equal rows have equal marks, so that Ink sees what changed.
 */
export class RowMarks {
  readonly #marks = new Map<string, string>()
  readonly #rows = new Map<string, string>()
  #count = 0
  #above = ''

  /** Returns the mark of a row. An empty row has none. */
  markOf(row: string): string {
    if (row === '') return ''
    const mark = this.#marks.get(row) ?? `<${++this.#count}>`
    // The last used mark is the last to be forgotten.
    this.#forget(row, mark)
    this.#marks.set(row, mark)
    this.#rows.set(mark, row)
    if (this.#rows.size > keptMarks) this.#forgetOldest()
    return mark
  }

  /** Returns the mark of text that is written once, above the rows. */
  markAbove(text: string): string {
    this.#above = text
    return above
  }

  /** Puts the rows in place of their marks in what Ink writes, which holds nothing else but control sequences. */
  filled(bytes: string): string {
    const text = this.#above
    this.#above = ''
    return bytes.replace(/<\d+>/g, (mark) => (mark === above ? text : (this.#rows.get(mark) ?? '')))
  }

  #forgetOldest(): void {
    for (const [mark, row] of this.#rows) {
      this.#forget(row, mark)
      return
    }
  }

  #forget(row: string, mark: string): void {
    this.#marks.delete(row)
    this.#rows.delete(mark)
  }
}
