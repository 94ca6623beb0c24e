import type { AnswerQuestion, Conversation, Watched } from '../../conversation.ts'
import { Questions } from './questions.ts'

/** Puts the questions that a front end reads to its user, and sends the answers. */
export class WatchedQuestions {
  readonly #questions: Questions

  constructor(conversation: Pick<Conversation, 'respond' | 'interrupt'>, answer: AnswerQuestion) {
    this.#questions = new Questions({
      answer,
      respond: (response) => conversation.respond(response),
      interrupt: () => void conversation.interrupt(),
    })
  }

  /** The error of a handler that failed. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#questions.failure
  }

  see(watched: Watched): void {
    if (watched.type === 'asked') this.#questions.ask(watched.question)
    // The questions of an elf are asked by the call that started it, or as a fact.
    else if (watched.type === 'event' && (watched.isOwn || watched.event.type === 'interaction_responded'))
      this.#questions.see(watched.event)
  }

  /** Withdraws the questions that are still open. */
  close(): void {
    this.#questions.close()
  }
}
