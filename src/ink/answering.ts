import type { InteractionResponse } from '../interaction.ts'
import type { ShownConversation } from './conversation/shown-conversation.ts'
import type { ModeControl } from './mode-control.ts'
import type { Panels } from './panel/panels.ts'
import type { Store } from './store.ts'
import type { Tasks } from './tasks.ts'
import type { TrustPrompt } from './trust-prompt.ts'

interface AnsweringOptions {
  readonly store: Store
  readonly tasks: Tasks
  readonly trustPrompt: TrustPrompt
  readonly panels: Panels
  readonly modes: ModeControl
  readonly shown: () => ShownConversation
}

/** Takes the answer to the shown question, or the wish to stop, to the one that it is for. */
export class Answering {
  readonly #options: AnsweringOptions

  constructor(options: AnsweringOptions) {
    this.#options = options
  }

  /** Answers whoever asks the shown question: a task of the board, the program, or the conversation. */
  answer(response: InteractionResponse): void | Promise<void> {
    const { store, panels, modes, trustPrompt, shown } = this.#options
    const [{ asker, interaction } = {}] = store.screen.questions
    if (asker?.type === 'task') return panels.answer(asker.id, response)
    if (asker?.type === 'trust') return trustPrompt.answer(response)
    if (asker?.type === 'elf') return shown().respond(response)
    if (asker !== undefined && interaction !== undefined) return modes.answer(interaction, response)
    return shown().respond(response)
  }

  /** Stops what runs. The question of a task is only closed: it stays open on the board. */
  interrupt(): void {
    const { store, trustPrompt, tasks, modes, shown } = this.#options
    const [question] = store.screen.questions
    if (question?.asker?.type === 'task') store.dispatch({ type: 'answered' })
    else if (question?.asker?.type === 'trust') trustPrompt.cancel()
    else if (question?.asker?.type === 'elf') shown().interrupt()
    else if (question?.asker !== undefined) modes.dismiss(question.interaction)
    else if (tasks.isBusy) tasks.stop()
    else shown().interrupt()
  }
}
