/**
 * A text that comes in parts, piece by piece, and then again: each part at its end, and all of them at the end of the item. Gives
 * what was not said yet. Each piece costs O(its size).
 */
export class PartedText {
  readonly #gap: string
  /** Characters said so far, of each part and of all, the gaps left out. */
  readonly #saidOf = new Map<number, number>()
  #said = 0

  /** `gap` stands between two parts. */
  constructor(gap: string) {
    this.#gap = gap
  }

  piece(part: number, text: string): string {
    if (text === '') return ''
    const before = this.#saidOf.get(part)
    this.#saidOf.set(part, (before ?? 0) + text.length)
    return this.#say(text, before === undefined)
  }

  /** A part as it is at its end. */
  whole(part: number, text: string): string {
    return this.piece(part, text.slice(this.#saidOf.get(part) ?? 0))
  }

  /** All parts as they are at the end, whatever numbers they had before. */
  all(parts: readonly string[]): string {
    let known = this.#said
    const rest = parts.map((text) => {
      const missing = text.slice(known)
      known = Math.max(0, known - text.length)
      return missing === '' ? '' : this.#say(missing, missing === text)
    })
    return rest.join('')
  }

  #say(text: string, isNew: boolean): string {
    const gap = isNew && this.#said > 0 ? this.#gap : ''
    this.#said += text.length
    return gap + text
  }
}
