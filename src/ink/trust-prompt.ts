import type { FrontendApi } from '../frontend/conversation-view.ts'
import type { Interaction, InteractionResponse } from '../interaction.ts'
import { cleanQuestion } from './clean.ts'
import type { PromptText } from './prompt/prompt.ts'
import type { Store } from './store.ts'

export interface TrustPromptOptions {
  readonly store: Store
  readonly api: FrontendApi
  readonly note: (text: string) => void
  /** Leaves this conversation for a new one. */
  readonly begin: () => Promise<void>
  /** Sends the message that waited. */
  readonly submit: (written: PromptText) => Promise<void>
}

/** Asks whether to trust the folder, or a link that a message names, and holds back the message. */
export class TrustPrompt {
  readonly #options: TrustPromptOptions
  #held: PromptText | undefined

  constructor(options: TrustPromptOptions) {
    this.#options = options
  }

  get isAsked(): boolean {
    return this.#held !== undefined
  }

  ask(question: Interaction, held: PromptText): void {
    this.#held = held
    this.#options.store.dispatch({
      type: 'asked',
      interaction: cleanQuestion(question),
      asker: { type: 'trust' },
    })
  }

  /** Applies the answer, then sends the message. */
  async answer(response: InteractionResponse): Promise<void> {
    const held = this.#held
    if (response.cancelled === true || held === undefined) return this.cancel()
    const { store, api, note, begin, submit } = this.#options
    this.#withdraw()
    try {
      const told = await api.answerTrust?.(response)
      if (api.startsAnew?.() === true) await begin()
      if (told !== undefined) note(told)
      await submit(held)
    } catch (error) {
      store.dispatch({ type: 'given_back', written: held })
      throw error
    }
  }

  /** Removes the question, and puts the message back into the prompt. */
  cancel(): void {
    const held = this.#held
    this.#withdraw()
    if (held !== undefined) this.#options.store.dispatch({ type: 'given_back', written: held })
  }

  #withdraw(): void {
    this.#held = undefined
    this.#options.store.dispatch({ type: 'answered' })
  }
}
