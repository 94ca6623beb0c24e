/**
 * A text that arrives in pieces of parts, again as complete parts, and again as all parts at the end of the item. Returns only
 * new text, in time linear in each piece.
 */
export class PartedText {
  readonly #gap: string
  /** Characters returned so far, per part and in total, without gaps. */
  readonly #returnedOf = new Map<number, number>()
  #returned = 0

  /** `gap` separates two parts. */
  constructor(gap: string) {
    this.#gap = gap
  }

  piece(part: number, text: string): string {
    if (text === '') return ''
    const before = this.#returnedOf.get(part)
    this.#returnedOf.set(part, (before ?? 0) + text.length)
    return this.#say(text, before === undefined)
  }

  /** Reads a complete part. */
  whole(part: number, text: string): string {
    return this.piece(part, text.slice(this.#returnedOf.get(part) ?? 0))
  }

  /** Reads all complete parts, even if they had other numbers before. */
  all(parts: readonly string[]): string {
    let known = this.#returned
    const rest = parts.map((text) => {
      const missing = text.slice(known)
      known = Math.max(0, known - text.length)
      return missing === '' ? '' : this.#say(missing, missing === text)
    })
    return rest.join('')
  }

  #say(text: string, isNew: boolean): string {
    const gap = isNew && this.#returned > 0 ? this.#gap : ''
    this.#returned += text.length
    return gap + text
  }
}
