import { ownAgent } from '../actor.ts'
import type { Command } from '../engine.ts'
import { PipeError } from '../error.ts'
import type { InteractionId, MessageId } from '../id.ts'
import { type Interaction, type InteractionResponse, validateResponse } from '../interaction.ts'
import type { UserMessage } from '../message.ts'
import type { HeldDeadline } from './limits/deadline.ts'

type Compaction = Extract<Command, { readonly type: 'compact' }>

interface Question {
  readonly interaction: Interaction
  readonly settle: (response: InteractionResponse) => void
  answered: boolean
}

/** Commands that wait for the turn: answers to open questions, steering messages, a request to compact. */
export class Mailbox {
  readonly #questions = new Map<InteractionId, Question>()
  #unanswered = 0
  #deadline: Pick<HeldDeadline, 'hold' | 'release'> | undefined
  #steering: UserMessage[] = []
  /** The command to summarise the history before the next request. */
  #compaction: Compaction | undefined

  /** Holds this deadline while a question is open. */
  set deadline(deadline: Pick<HeldDeadline, 'hold' | 'release'> | undefined) {
    this.#deadline = deadline
  }

  /** Opens a question. Resolves with its answer, or as cancelled when the signal fires. */
  open(interaction: Interaction, signal: AbortSignal): Promise<InteractionResponse> {
    return new Promise((resolve) => {
      const settle = (response: InteractionResponse) => {
        question.answered = true
        if (--this.#unanswered === 0) this.#deadline?.release()
        signal.removeEventListener('abort', cancel)
        resolve(response)
      }
      const cancel = () => settle({ interactionId: interaction.id, answeredBy: ownAgent, cancelled: true })
      const question: Question = { interaction, settle, answered: false }
      this.#questions.set(interaction.id, question)
      if (++this.#unanswered === 1) this.#deadline?.hold()
      if (signal.aborted) cancel()
      else signal.addEventListener('abort', cancel, { once: true })
    })
  }

  respond(response: InteractionResponse): void {
    const question = this.#questions.get(response.interactionId)
    if (question === undefined)
      throw new PipeError('not_found', `no question ${response.interactionId} is open`)
    if (question.answered)
      throw new PipeError('conflict', `question ${response.interactionId} is already answered`)
    validateResponse(question.interaction, response)
    question.settle(response)
  }

  compact(command: Compaction): void {
    this.#compaction = command
  }

  get isCompactionAsked(): boolean {
    return this.#compaction !== undefined
  }

  takeCompaction(): Compaction | undefined {
    const taken = this.#compaction
    this.#compaction = undefined
    return taken
  }

  steer(message: UserMessage): void {
    this.#steering.push(message)
  }

  get isSteered(): boolean {
    return this.#steering.length > 0
  }

  takeSteering(): readonly UserMessage[] {
    const taken = this.#steering
    this.#steering = []
    return taken
  }

  /** The first steering message, which starts the next turn. The others follow in its first request. */
  takeLate(): UserMessage | undefined {
    return this.#steering.shift()
  }

  /** Throws `not_found` if the message was already delivered. */
  takeBack(id: MessageId): void {
    const waiting = this.#steering.filter((message) => message.id !== id)
    if (waiting.length === this.#steering.length)
      throw new PipeError('not_found', `no message ${id} is waiting`)
    this.#steering = waiting
  }

  /** Forgets the answered questions of a turn that is over. */
  clear(): void {
    this.#questions.clear()
  }
}
