import type { AnswerQuestion } from '../../conversation.ts'
import type { ElvesAtWork } from '../../elf.ts'
import type { AgentEvent } from '../../event.ts'
import type { Interaction, InteractionResponse } from '../../interaction.ts'
import type { UserMessage } from '../../message.ts'
import { followElves } from './follow-elves.ts'
import { Questions } from './questions.ts'

export interface BackgroundElvesOptions {
  readonly elves: ElvesAtWork
  /** Ends the following. */
  readonly signal: AbortSignal
  /** As `ElfHandlers`. */
  readonly onEvent: (event: AgentEvent) => Promise<void> | void
  readonly onQuestion: (question: Interaction) => void
  readonly onReport: (report: UserMessage) => void
  /** Called after each piece of news. */
  readonly onNews: () => void
  /** Called with the error of a handler, or of the elves. */
  readonly onFailure: (error: unknown) => void
}

/** Follows the elves of a conversation in the background, and puts their questions to the handler of its last run. */
export class BackgroundElves {
  readonly #options: BackgroundElvesOptions
  readonly #questions: Questions
  readonly #following: Promise<void>
  #answer: AnswerQuestion | undefined

  constructor(options: BackgroundElvesOptions) {
    this.#options = options
    this.#questions = new Questions({
      answer: (question, at) => this.#answer?.(question, at) ?? { cancelled: true },
      respond: (response) => this.respond(response),
      interrupt: () => options.onFailure(this.#questions.failure?.error),
    })
    this.#following = this.#follow()
  }

  /** Questions go to this handler from now on. Without one, they wait for those who send `respond`. */
  set answer(answer: AnswerQuestion | undefined) {
    this.#answer = answer
  }

  /** Withdraws a question that this event of the parent's turn ends. */
  see(event: AgentEvent): void {
    if (event.type === 'interaction_responded') this.#questions.see(event)
  }

  respond(response: InteractionResponse): void {
    this.#options.elves.respond(response)
  }

  /** Waits for the end of the following. */
  async close(): Promise<void> {
    await this.#following
    this.#questions.close()
  }

  async #follow(): Promise<void> {
    const { elves, signal, onEvent, onQuestion, onReport, onNews, onFailure } = this.#options
    try {
      await followElves(elves, {
        signal,
        onEvent: async (event) => {
          await onEvent(event)
          this.see(event)
          onNews()
        },
        onQuestion: (question) => {
          onQuestion(question)
          if (this.#answer !== undefined) this.#questions.ask(question)
          onNews()
        },
        onReport: (report) => {
          onReport(report)
          onNews()
        },
      })
    } catch (error) {
      onFailure(error)
    }
  }
}
