import type { Interaction, InteractionResponse } from '../../../interaction.ts'
import { putQuestion } from '../../../line/line-question.ts'
import { OneByOne } from '../../../records/one-by-one.ts'
import { askOnTerminal } from '../../controlling-terminal.ts'

/** Asks the questions of several models on one terminal, one at a time. */
export class RaceQuestions {
  readonly #questions = new OneByOne()

  /** Puts a question with the name of the model before it. */
  ask(question: Interaction, model: string, signal: AbortSignal): Promise<InteractionResponse> {
    const { display } = question
    const named = { ...question, display: { ...display, title: `${model}: ${display.title}` } }
    return this.#questions.run(() => putQuestion(named, askOnTerminal, signal))
  }
}
