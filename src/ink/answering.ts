import type { InteractionResponse } from '../interaction.ts'
import type { BackgroundElves } from './background-elves.ts'
import type { Panels } from './panel/panels.ts'
import type { ShownTurns } from './shown-turns.ts'
import type { Store } from './store.ts'
import type { Tasks } from './tasks.ts'
import type { TrustPrompt } from './trust-prompt.ts'

interface AnsweringOptions {
  readonly store: Store
  readonly tasks: Tasks
  readonly trustPrompt: TrustPrompt
  readonly panels: Panels
  readonly background: BackgroundElves
  readonly turns: () => ShownTurns
}

/** Takes the answer to the shown question, or the wish to stop, to the one that it is for. */
export class Answering {
  readonly #options: AnsweringOptions

  constructor(options: AnsweringOptions) {
    this.#options = options
  }

  /** Answers whoever asks the shown question: a task of the board, the program, or the conversation. */
  answer(response: InteractionResponse): void | Promise<void> {
    const { store, panels, background, trustPrompt, turns } = this.#options
    const { asker } = store.screen.questions[0] ?? {}
    if (asker?.type === 'task') return panels.answer(asker.id, response)
    if (asker?.type === 'elf' && background.isFollowing) return background.answer(response)
    return trustPrompt.isAsked ? trustPrompt.answer(response) : turns().respond(response)
  }

  /** Stops what runs. The question of a task is only closed: it stays open on the board. */
  interrupt(): void {
    const { store, background, trustPrompt, tasks, turns } = this.#options
    const [question] = store.screen.questions
    if (question?.asker?.type === 'task') store.dispatch({ type: 'answered' })
    else if (question?.asker?.type === 'elf' && background.isFollowing)
      background.decline(question.interaction)
    else if (trustPrompt.isAsked) trustPrompt.cancel()
    else if (tasks.isBusy) tasks.stop()
    else turns().interrupt()
  }
}
