import type { Interaction, InteractionResponse } from '../../../interaction.ts'
import { putQuestion } from '../../../line/line-question.ts'
import { askOnTerminal } from '../../controlling-terminal.ts'

/** Asks the questions of several models on one terminal, one at a time. */
export class RaceQuestions {
  #last: Promise<unknown> = Promise.resolve()

  /** Puts a question with the name of the model before it. */
  ask(question: Interaction, model: string, signal: AbortSignal): Promise<InteractionResponse> {
    const { display } = question
    const named = { ...question, display: { ...display, title: `${model}: ${display.title}` } }
    const answered = this.#last.then(() => putQuestion(named, askOnTerminal, signal))
    this.#last = answered.catch(() => undefined)
    return answered
  }
}
