import { localUser } from '../actor.ts'
import type { Engine } from '../engine.ts'
import { isPipeError } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import type { Interaction } from '../interaction.ts'
import type { Answer, AnswerQuestion } from '../shared-conversation.ts'

/** Puts the questions of a turn to a handler, beside the turn: others may answer first, and other calls go on. */
export class Questions {
  readonly #engine: Engine
  readonly #answer: AnswerQuestion
  readonly #open = new Map<string, AbortController>()
  #failure: { readonly error: unknown } | undefined

  constructor(engine: Engine, answer: AnswerQuestion) {
    this.#engine = engine
    this.#answer = answer
  }

  /** The error of a handler that failed, which interrupted the turn. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure
  }

  see(event: AgentEvent): void {
    if (event.type === 'interaction_requested') void this.#put(event.interaction)
    else if (event.type === 'interaction_responded') this.#withdraw(event.response.interactionId)
  }

  /** Withdraws the questions that are still open. */
  close(): void {
    for (const id of [...this.#open.keys()]) this.#withdraw(id)
  }

  /** Never rejects: a failure interrupts the turn. */
  async #put(question: Interaction): Promise<void> {
    const stop = new AbortController()
    this.#open.set(question.id, stop)
    try {
      const answer = await this.#answer(question, { signal: stop.signal })
      if (!stop.signal.aborted) this.#respond(question, answer)
    } catch (error) {
      if (stop.signal.aborted) return
      this.#failure ??= { error }
      this.#engine.send({ type: 'interrupt' })
    }
  }

  #respond({ id }: Interaction, answer: Answer): void {
    try {
      this.#engine.send({
        type: 'respond',
        response: { answeredBy: localUser, ...answer, interactionId: id },
      })
    } catch (error) {
      // Somebody else answered just before, and the turn has not said so yet.
      if (!isPipeError(error) || error.code !== 'conflict') throw error
    }
  }

  #withdraw(id: string): void {
    this.#open.get(id)?.abort()
    this.#open.delete(id)
  }
}
