import { PipeError } from '../error.ts'
import type { InteractionId } from '../id.ts'
import { type Interaction, type InteractionResponse, validateResponse } from '../interaction.ts'

type Settle = (response: InteractionResponse | undefined) => void

interface Question {
  readonly interaction: Interaction
  readonly settle: Settle
}

/** The open questions of elves in the background. */
export class ElfQuestions {
  readonly #open = new Map<InteractionId, Question>()

  /** Opens a question. Resolves with its answer; with `undefined` when the signal fires. */
  open(interaction: Interaction, signal: AbortSignal): Promise<InteractionResponse | undefined> {
    return new Promise((resolve) => {
      const settle: Settle = (response) => {
        this.#open.delete(interaction.id)
        signal.removeEventListener('abort', cancel)
        resolve(response)
      }
      const cancel = () => settle(undefined)
      this.#open.set(interaction.id, { interaction, settle })
      if (signal.aborted) cancel()
      else signal.addEventListener('abort', cancel, { once: true })
    })
  }

  /** Throws `not_found` and `invalid`. */
  respond(response: InteractionResponse): void {
    const question = this.#open.get(response.interactionId)
    if (question === undefined) throw new PipeError('not_found', `no elf asks ${response.interactionId}`)
    validateResponse(question.interaction, response)
    question.settle(response)
  }
}
