import type { Conversation } from '../conversation.ts'
import type { ConversationView, FrontendApi } from '../frontend/conversation-view.ts'
import { askAboutPlan, bypassQuestion, planQuestion, planVerdict } from '../frontend/mode-questions.ts'
import { bypassNote, modeNote } from '../frontend/words/mode-words.ts'
import type { Interaction, InteractionResponse } from '../interaction.ts'
import type { PermissionMode } from '../permission.ts'
import { nextMode } from './mode-cycle.ts'
import type { Store } from './store.ts'

export interface ModeControlOptions {
  readonly store: Store
  readonly api: Pick<FrontendApi, 'modeRefusal' | 'setMode'>
  readonly view: () => ConversationView
  readonly note: (text: string) => void
  /** Sends a message to the model. */
  readonly send: (text: string) => void | Promise<void>
}

/** Changes the mode of the open conversation, and asks about what follows from modes. */
export class ModeControl {
  readonly #options: ModeControlOptions
  /** Conversations whose user said yes to the mode `bypass`. */
  readonly #unasked = new WeakSet<Conversation>()

  constructor(options: ModeControlOptions) {
    this.#options = options
  }

  /** Changes to the next mode. Throws `PipeError`, as `set` does. */
  cycle(): Promise<void> {
    const { mode } = this.#options.store.screen.status
    return this.set(nextMode(mode, { hasBypass: this.#isBypassMeant, canSet: this.#canSet }))
  }

  /** Changes the mode. The first time that it is to be `bypass`, only asks. Throws `PipeError` and keeps the mode if it cannot be changed. */
  async set(mode: PermissionMode): Promise<void> {
    const { store, api, note } = this.#options
    const { mode: before } = store.screen.status
    if (api.setMode === undefined) return
    const refusal = api.modeRefusal?.(mode)
    if (refusal !== undefined) throw refusal
    if (mode === 'bypass' && before !== mode && !this.#isBypassMeant) return this.#ask(bypassQuestion, 'mode')
    const told = api.setMode(mode)
    store.dispatch({ type: 'status', status: { mode } })
    try {
      const words = await told
      if (words !== undefined) note(words)
      if (mode === before) return
      if (mode === 'bypass') note(bypassNote)
      // The note about unasked calls in the transcript no longer holds.
      if (before === 'bypass') note(modeNote(mode))
    } catch (error) {
      store.dispatch({ type: 'status', status: { mode: before } })
      throw error
    }
  }

  /** Asks about the plan that a turn has ended with, unless something else follows. */
  planned(): void {
    const { status, queued, task } = this.#options.store.screen
    if (status.mode !== 'plan' || queued.length > 0 || task !== undefined) return
    const question = askAboutPlan(this.#canSet)
    if (question !== undefined) this.#ask(question, 'plan')
  }

  /** Applies the answer to the shown question. Throws `PipeError` if the mode cannot be changed. */
  async answer(question: Interaction, response: InteractionResponse): Promise<void> {
    const { view, send } = this.#options
    this.dismiss(question)
    if (response.cancelled === true) return
    if (question.id === planQuestion.id) {
      const { mode, text } = planVerdict(response)
      if (mode !== undefined) await this.set(mode)
      if (text !== undefined) await send(text)
    } else if (response.selectedOptionId === 'yes') {
      this.#unasked.add(view().conversation)
      await this.set('bypass')
    }
  }

  /** Closes a question without an answer. */
  dismiss({ id }: Interaction = planQuestion): void {
    this.#options.store.dispatch({ type: 'dismissed', question: id })
  }

  readonly #canSet = (mode: PermissionMode): boolean => this.#options.api.modeRefusal?.(mode) === undefined

  get #isBypassMeant(): boolean {
    const { conversation, mode } = this.#options.view()
    return mode === 'bypass' || this.#unasked.has(conversation)
  }

  #ask(interaction: Interaction, type: 'plan' | 'mode'): void {
    this.dismiss(interaction)
    this.#options.store.dispatch({ type: 'asked', interaction, asker: { type } })
  }
}
