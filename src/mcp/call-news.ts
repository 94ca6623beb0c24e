import { oneLine } from '../characters/one-line.ts'
import type { Interaction, InteractionResponse } from '../interaction.ts'

/** Holds the news of a server at work. */
export interface ToldProgress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

/** Passes on the news of a server before the result of a call. */
export type CallNewsItem =
  | { readonly type: 'told'; readonly line: string }
  | {
      readonly type: 'asked'
      readonly interaction: Interaction
      /** Passes on the user's answer; `undefined` if there is none. */
      readonly answer: (response: InteractionResponse | undefined) => void
    }

/** Lines about one call at most: a server may tell without end. */
const most = 200

/** Hands on what a server tells and asks during a call. Of progress that comes faster than it is taken, the last is kept. */
export class CallNews {
  #line: string | undefined
  readonly #asked: Extract<CallNewsItem, { type: 'asked' }>[] = []
  #isEnded = false
  #count = 0
  #wake: () => void = () => undefined

  readonly tell = ({ progress, total, message }: ToldProgress): void => {
    if (this.#count >= most) return
    const part = total === undefined ? `${progress}` : `${progress}/${total}`
    this.#line = `${part}${message === undefined ? '' : ` ${oneLine(message, 200)}`}\n`
    this.#wake()
  }

  /** Resolves with the user's answer; `undefined` if there is none, or the call ends before. */
  readonly ask = (interaction: Interaction): Promise<InteractionResponse | undefined> => {
    if (this.#isEnded) return Promise.resolve(undefined)
    return new Promise((answer) => {
      this.#asked.push({ type: 'asked', interaction, answer })
      this.#wake()
    })
  }

  end(): void {
    this.#isEnded = true
    for (const { answer } of this.#asked.splice(0)) answer(undefined)
    this.#wake()
  }

  /** Resolves with the next news; `undefined` at the end. */
  async next(): Promise<CallNewsItem | undefined> {
    for (;;) {
      const asked = this.#asked.shift()
      if (asked !== undefined) return asked
      const line = this.#line
      this.#line = undefined
      if (line !== undefined) {
        this.#count += 1
        return { type: 'told', line }
      }
      if (this.#isEnded) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
