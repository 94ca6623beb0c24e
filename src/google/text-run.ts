import { count, objects, text } from '../http/dialect/json-fields.ts'
import type { JsonObject } from '../json-value.ts'

type Piece = { readonly length: number; readonly thoughtSignature?: string }

/**
 * Text of one kind that came in parts, some of which are signed: neighbours without a signature are one piece, a signed part is a
 * piece of its own, because it has to go back just as it came. O(1) a part.
 */
export class TextRun {
  readonly id: string
  readonly type: 'text' | 'thinking'
  readonly #pieces: Piece[] = []
  #signed = false

  constructor(id: string, type: 'text' | 'thinking') {
    this.id = id
    this.type = type
  }

  add(length: number, thoughtSignature: string): void {
    const last = this.#pieces.at(-1)
    if (thoughtSignature !== '') {
      this.#signed = true
      this.#pieces.push({ length, thoughtSignature })
    } else if (last === undefined || last.thoughtSignature !== undefined) {
      this.#pieces.push({ length })
    } else {
      this.#pieces[this.#pieces.length - 1] = { length: last.length + length }
    }
  }

  /** The pieces in order, where one of them is signed. */
  get pieces(): readonly Piece[] | undefined {
    return this.#signed ? this.#pieces : undefined
  }
}

/** A text in the parts in which it came, each with its signature; `undefined` where they are not known. */
export function signedParts(
  whole: string,
  proof: JsonObject | undefined,
): readonly { readonly text: string; readonly thoughtSignature?: string }[] | undefined {
  const pieces = objects(proof?.['pieces'])
  let end = 0
  const parts = pieces.map((piece) => {
    const start = end
    end += count(piece['length']) ?? 0
    const thoughtSignature = text(piece['thoughtSignature'])
    return { text: whole.slice(start, end), ...(thoughtSignature === '' ? {} : { thoughtSignature }) }
  })
  return parts.length > 0 && end === whole.length ? parts : undefined
}
