import { ElfReports } from '../agent/elf-reports.ts'
import { followElves } from '../agent/follow-elves.ts'
import type { Engine, Turn } from '../engine.ts'
import { isPipeError } from '../error.ts'
import type { ConversationView } from '../frontend/conversation-view.ts'
import type { Interaction } from '../interaction.ts'
import type { UserMessage } from '../message.ts'
import type { Outputs } from '../terminal/output.ts'
import { type AskLine, answer } from './question.ts'
import { Lines, showActivity } from './text.ts'

export interface ChatElvesOptions extends Outputs {
  readonly view: ConversationView
  /** Puts a question to the user. */
  readonly ask: AskLine
  /** Ends the conversation. */
  readonly signal: AbortSignal
}

/** The elves in the background of a conversation: their questions go to the user, and their results to the model. */
export class ChatElves {
  readonly #options: ChatElvesOptions
  readonly #reports: ElfReports
  readonly #closing = new AbortController()
  readonly #following: Promise<void>
  /** Questions that came while the user was typing. */
  #questions: readonly Interaction[] = []
  #isTurn = false
  #failure: { readonly error: unknown } | undefined
  #news = new AbortController()

  constructor(options: ChatElvesOptions) {
    this.#options = options
    this.#reports = new ElfReports(options.view.engine)
    this.#following = this.#follow()
  }

  /** Fires when an elf asks, or has a result. */
  get news(): AbortSignal {
    return this.#news.signal
  }

  /** Asks the questions that came while the user was typing. Returns the results as a message for the model. */
  async take(): Promise<UserMessage | undefined> {
    if (this.#failure !== undefined) throw this.#failure.error
    this.#news = new AbortController()
    const questions = this.#questions
    this.#questions = []
    for (const question of questions) await this.#ask(question)
    return this.#reports.take()
  }

  /** Runs a turn, into which results go. Questions are asked at once. */
  async during(act: () => Promise<Turn>): Promise<Turn> {
    this.#isTurn = true
    try {
      return await this.#reports.during(act)
    } finally {
      this.#isTurn = false
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#following
  }

  async #follow(): Promise<void> {
    const { view, stdout, stderr, signal } = this.#options
    if (view.elves === undefined) return
    const lines = new Lines(stdout, stderr)
    try {
      await followElves(view.elves, {
        signal: AbortSignal.any([signal, this.#closing.signal]),
        onEvent: (event) => {
          if (event.agentId === view.engine.id) showActivity(event, lines)
        },
        onQuestion: (question) => {
          if (this.#isTurn) void this.#ask(question)
          else this.#questions = [...this.#questions, question]
          this.#news.abort()
        },
        onReport: (report) => {
          this.#reports.deliver(report)
          this.#news.abort()
        },
      })
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Never rejects. */
  async #ask(question: Interaction): Promise<void> {
    const { view, ask, signal } = this.#options
    try {
      const response = await answer(question, ask, signal)
      if (!signal.aborted) view.elves?.respond(response)
    } catch (error) {
      // The elf was stopped meanwhile.
      if (!isPipeError(error) || error.code !== 'not_found') this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.#news.abort()
  }
}

/** The elves of the conversation that is open: another one may replace it. */
export class OpenElves {
  readonly #options: () => ChatElvesOptions
  readonly #opened: { readonly engine: Engine; readonly elves: ChatElves }[] = []

  constructor(options: () => ChatElvesOptions) {
    this.#options = options
  }

  open(): ChatElves {
    const options = this.#options()
    const { engine } = options.view
    const last = this.#opened.at(-1)
    if (last?.engine === engine) return last.elves
    const elves = new ChatElves(options)
    this.#opened.push({ engine, elves })
    return elves
  }

  async close(): Promise<void> {
    for (const { elves } of this.#opened) await elves.close()
  }
}
