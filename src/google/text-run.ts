import type { JsonObject } from '../json-value.ts'
import { count, objects, text } from '../wire/json-fields.ts'

type Piece = { readonly length: number; readonly thoughtSignature?: string }

/**
 * Text of one kind that came in parts, some of them signed. Joins adjacent unsigned parts to one piece, but keeps each signed
 * part, which must go back unchanged. O(1) per part.
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

  /** The pieces in order; `undefined` if none is signed. */
  get pieces(): readonly Piece[] | undefined {
    return this.#signed ? this.#pieces : undefined
  }
}

/** Splits a text into its original parts with their signatures; `undefined` if they are unknown. */
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
