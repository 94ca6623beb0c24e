import { localUser } from '../../actor.ts'
import type { Answer, AnswerQuestion } from '../../conversation.ts'
import { isPipeError, PipeError } from '../../error.ts'
import type { AgentEvent } from '../../event.ts'
import type { Interaction, InteractionResponse } from '../../interaction.ts'

export interface QuestionsOptions {
  readonly answer: AnswerQuestion
  /** Passes an answer on. Throws `conflict` if somebody else has answered, and `not_found` if the question was withdrawn. */
  readonly respond: (response: InteractionResponse) => Promise<void> | void
  /** Interrupts what asks, because the handler failed. */
  readonly interrupt: () => void
}

/** Puts questions to a handler, beside the work that asks: others may answer first, and other calls go on. */
export class Questions {
  readonly #options: QuestionsOptions
  readonly #open = new Map<string, AbortController>()
  #failure: { readonly error: unknown } | undefined

  constructor(options: QuestionsOptions) {
    this.#options = options
  }

  /** The error of a handler that failed. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure
  }

  see(event: AgentEvent): void {
    if (event.type === 'interaction_requested') this.ask(event.interaction)
    else if (event.type === 'interaction_responded') this.#withdraw(event.response.interactionId)
  }

  ask(question: Interaction): void {
    void this.#put(question)
  }

  /** Withdraws the questions that are still open. */
  close(): void {
    for (const id of [...this.#open.keys()]) this.#withdraw(id)
  }

  /** Never rejects: a failure interrupts what asks. */
  async #put(question: Interaction): Promise<void> {
    const stop = new AbortController()
    this.#open.set(question.id, stop)
    try {
      const answer = await this.#options.answer(question, { signal: stop.signal })
      if (!stop.signal.aborted) await this.#respond(question, answer)
    } catch (error) {
      if (stop.signal.aborted) return
      this.#failure ??= { error }
      this.#options.interrupt()
    }
  }

  async #respond({ id, display }: Interaction, answer: Answer): Promise<void> {
    if (!isAnswer(answer)) throw new PipeError('invalid', `no answer to "${display.title}": ${answerFields}`)
    try {
      await this.#options.respond({ answeredBy: localUser, ...answer, interactionId: id })
    } catch (error) {
      // Somebody else answered just before, or an elf was stopped, and no event has said so yet.
      if (!isPipeError(error) || (error.code !== 'conflict' && error.code !== 'not_found')) throw error
    }
  }

  #withdraw(id: string): void {
    this.#open.get(id)?.abort()
    this.#open.delete(id)
  }
}

const answerFields = 'it needs selectedOptionId, inputValue, parts, or cancelled: true'

/** Whether a handler of a program, which may have no types, returned an answer. Its absence must not count as one. */
function isAnswer(answer: Answer | undefined): boolean {
  const { selectedOptionId, inputValue, parts, cancelled } = answer ?? {}
  return [selectedOptionId, inputValue, parts].some((given) => given !== undefined) || cancelled === true
}
