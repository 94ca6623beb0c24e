import type { FrontendApi } from '../../frontend/conversation-view.ts'
import type { ScreenEvent } from '../reduce/screen-event.ts'
import type { Store } from '../store.ts'

/** Brings back what the user wrote in this folder before, and keeps what is written now. */
export class PromptHistory {
  readonly #store: Store
  readonly #past: FrontendApi['pastPrompts']

  constructor(store: Store, { pastPrompts }: Pick<FrontendApi, 'pastPrompts'>) {
    this.#store = store
    this.#past = pastPrompts
  }

  /** Adds earlier messages to the history. Throws `PipeError`. */
  async load(): Promise<void> {
    const written = await this.#past?.load()
    if (written !== undefined) this.#store.dispatch({ type: 'remembered', written })
  }

  /** Empties the prompt by an event, and keeps what this adds to the history. Throws `PipeError`. */
  async clear(event: Extract<ScreenEvent, { type: 'sent' | 'cleared' }>): Promise<void> {
    const before = this.#store.screen.prompt.history.at(-1)
    this.#store.dispatch(event)
    const written = this.#store.screen.prompt.history.at(-1)
    if (written !== undefined && written !== before) await this.#past?.add(written)
  }
}
