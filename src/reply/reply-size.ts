import { PipeError } from '../error.ts'
import type { Request } from '../provider.ts'

/** Maximum characters of any reply: text, thinking and arguments together. */
const maxLimit = 32_000_000
/** Characters always allowed, however low the token limit, as some servers do not count thinking. */
const minLimit = 256_000
/** Characters allowed per token: far above the average. */
const charactersPerToken = 64
/** Maximum texts, thoughts and calls in one reply. */
const maxBlocks = 1_000

/** Returns the number of characters at which a reply counts as endless. */
export function replySizeLimit({ maxTokens, info }: Request): number {
  const tokens = maxTokens ?? info?.maxOutput
  return tokens === undefined ? maxLimit : Math.min(maxLimit, Math.max(minLimit, tokens * charactersPerToken))
}

/** Counts the contents of a reply. Throws `length` beyond the limit. */
export class ReplySize {
  readonly #provider: string
  readonly #limit: number
  #characters = 0
  #blocks = 0

  constructor(provider: string, limit: number = maxLimit) {
    this.#provider = provider
    this.#limit = limit
  }

  add({ length }: string): void {
    this.#characters += length
    if (this.#characters > this.#limit) throw this.#tooLong(`${this.#limit} characters`)
  }

  addBlock(): void {
    this.#blocks++
    if (this.#blocks > maxBlocks) throw this.#tooLong(`${maxBlocks} parts`)
  }

  #tooLong(limit: string): PipeError {
    return new PipeError(
      'length',
      `the reply of ${this.#provider} did not end and was stopped at ${limit}; the text so far is kept`,
    )
  }
}
