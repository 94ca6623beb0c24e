import { PipeError } from '../../error.ts'
import type { FrontendApi } from '../../frontend/conversation-view.ts'
import { type PromptText, sentText } from './prompt.ts'

/** Holds back a message that names what cannot be sent, until the user sends it once more. */
export class Objections {
  readonly #api: Pick<FrontendApi, 'objection'>
  /** The text that the user was told about. */
  #told: string | undefined

  constructor(api: Pick<FrontendApi, 'objection'>) {
    this.#api = api
  }

  /** Throws `input` if something speaks against sending the text, the first time. */
  check(written: PromptText): void {
    const text = sentText(written)
    // Commands of pipe and of the shell name files of their own.
    const objection = /^[/!]/.test(text) ? undefined : this.#api.objection?.(text)
    const isTold = text === this.#told
    this.#told = undefined
    if (objection === undefined || isTold) return
    this.#told = text
    throw new PipeError('input', objection)
  }
}
