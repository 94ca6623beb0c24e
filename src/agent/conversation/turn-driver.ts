import type { AnswerQuestion } from '../../conversation.ts'
import type { Engine, Turn } from '../../engine.ts'
import type { AgentEvent } from '../../event.ts'
import type { InteractionResponse } from '../../interaction.ts'
import type { UserMessage } from '../../message.ts'
import type { ConversationLog } from './conversation-log.ts'
import type { ElfReports } from './elf-reports.ts'
import { Questions } from './questions.ts'

export interface TurnDriverOptions {
  readonly engine: Engine
  readonly log: ConversationLog
  readonly reports: ElfReports
  readonly respond: (response: InteractionResponse) => void
  /** Called for each event of the agent itself, before anybody reads it. */
  readonly onEvent: (event: AgentEvent) => void
  /** Called for the end of a turn that another follows at once, because a message came too late for it. */
  readonly onLate: (turn: Turn) => void
}

/** A turn to drive. */
export interface Drive {
  /** Without a message, the turn goes on at open questions or carries out a compaction. */
  readonly message: UserMessage | undefined
  readonly controller: AbortController
  readonly onQuestion?: AnswerQuestion | undefined
  readonly onEvent?: ((event: AgentEvent) => Promise<void> | void) | undefined
}

/** Pulls the turns of an engine, and writes their events into the log. */
export class TurnDriver {
  readonly #options: TurnDriverOptions

  constructor(options: TurnDriverOptions) {
    this.#options = options
  }

  /**
   * Drives a turn to its end, and those of messages that come too late for it. If a handler throws, interrupts the turn, lets it be saved,
   * and then throws that error. Throws what `Engine.submit` throws.
   */
  async drive(drive: Drive): Promise<Turn> {
    const { reports, onLate } = this.#options
    const questions = drive.onQuestion && this.#questions(drive.onQuestion, drive.controller)
    try {
      let next = drive.message
      for (;;) {
        const turn = await reports.during(() => this.#pull(next, drive, questions))
        if (questions?.failure !== undefined) throw questions.failure.error
        if (turn.late === undefined) return turn
        onLate(turn)
        next = turn.late
      }
    } finally {
      questions?.close()
    }
  }

  #questions(answer: AnswerQuestion, controller: AbortController): Questions {
    return new Questions({ answer, respond: this.#options.respond, interrupt: () => controller.abort() })
  }

  async #pull(
    message: UserMessage | undefined,
    { controller, onEvent }: Drive,
    questions: Questions | undefined,
  ): Promise<Turn> {
    const { engine, log, onEvent: see } = this.#options
    const events = engine.submit(message, { signal: controller.signal })
    let failure: { readonly error: unknown } | undefined
    for (;;) {
      const step = await events.next()
      if (step.done === true) {
        if (failure !== undefined) throw failure.error
        return step.value
      }
      const event = step.value
      const isOwn = event.agentId === engine.id
      if (isOwn) see(event)
      const pace = log.add(event)
      if (isOwn) questions?.see(event)
      if (failure !== undefined) continue
      try {
        const taken = onEvent?.(event)
        if (taken !== undefined) await taken
      } catch (error) {
        failure = { error }
        controller.abort()
      }
      if (pace !== undefined) await pace
    }
  }
}
