import { ElfReports } from '../agent/elf-reports.ts'
import { followElves } from '../agent/follow-elves.ts'
import type { ElvesAtWork } from '../elf.ts'
import type { Engine } from '../engine.ts'
import { isPipeError } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import type { Interaction, InteractionResponse } from '../interaction.ts'
import type { UserMessage } from '../message.ts'
import type { Chat } from './chat-command.ts'
import { note } from './chat-notes.ts'
import { answer } from './question.ts'
import { Lines, showActivity } from './text.ts'

/** The elves in the background of a chat: shows their ends, asks their questions, and keeps their results for the model. */
export class ChatElves {
  readonly reports: ElfReports
  readonly #chat: Chat
  readonly #elves: ElvesAtWork | undefined
  readonly #over = new AbortController()
  readonly #lines: Lines
  #following: Promise<void> = Promise.resolve()
  #lastQuestion: Promise<unknown> = Promise.resolve()
  /** Called after each piece of news. */
  #wake: () => void = () => undefined

  constructor(engine: Engine, chat: Chat) {
    this.reports = new ElfReports(engine)
    this.#chat = chat
    this.#elves = chat.conversation.view().elves
    this.#lines = new Lines(chat.stdout, chat.stderr)
  }

  /** Follows the elves while `act` runs, and then waits for the answer to an open question. */
  async during<T>(act: () => Promise<T>): Promise<T> {
    if (this.#elves !== undefined) this.#following = this.#follow(this.#elves)
    try {
      return await act()
    } finally {
      this.#over.abort()
      await this.#following
      await this.#lastQuestion
    }
  }

  /** Asks one question after the other: a turn and elves may ask at once. */
  ask(question: Interaction, signal: AbortSignal): Promise<InteractionResponse> {
    const asked = this.#lastQuestion.then(() => answer(question, this.#chat.typed.answer, signal))
    this.#lastQuestion = asked.catch(() => undefined)
    return asked
  }

  /** Waits for a result while an elf works. Returns `undefined` if none does, or once the user types a line or presses Ctrl+C. */
  async nextReport(): Promise<UserMessage | undefined> {
    const { typed, signal } = this.#chat
    const isWaiting = () => !this.reports.isFilled && this.#elves?.isBusy === true
    if (isWaiting())
      note(
        'pipe: an elf works in the background; type a line, or press Ctrl+C, to go on meanwhile',
        this.#chat,
      )
    await typed.stoppable(signal, (stop) => {
      stop.signal.addEventListener('abort', () => this.#wake())
      const goOn = async (line: string) => {
        typed.putBack(line)
        stop.abort()
      }
      return typed.during(goOn, async () => {
        while (isWaiting() && !stop.signal.aborted)
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
      })
    })
    return this.reports.take()
  }

  async #follow(elves: ElvesAtWork): Promise<void> {
    try {
      await followElves(elves, {
        signal: this.#over.signal,
        onEvent: (event) => this.#show(event),
        onQuestion: (question) => void this.#answer(question, elves),
        onReport: (report) => {
          this.reports.deliver(report)
          this.#wake()
        },
      })
    } finally {
      this.#wake()
    }
  }

  /** Shows the start and the end of an elf. Its other events are its own. */
  #show(event: AgentEvent): void {
    if (event.type === 'elf_start' || event.type === 'elf_end') showActivity(event, this.#lines)
    this.#wake()
  }

  async #answer(question: Interaction, elves: ElvesAtWork): Promise<void> {
    const response = await this.ask(question, this.#chat.signal)
    try {
      elves.respond(response)
    } catch (error) {
      // The elf was stopped meanwhile.
      if (!isPipeError(error) || error.code !== 'not_found') throw error
    }
  }
}
