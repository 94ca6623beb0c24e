import type { Message } from '../message.ts'
import type { SessionLog } from '../session.ts'
import { addUsage, noUsage, type Usage } from '../usage.ts'

export interface HistoryOptions {
  readonly log: SessionLog
  readonly messages: readonly Message[]
  readonly usage: Usage | undefined
  /** `provider/model` that the conversation is set to. */
  readonly model: () => string
}

/** The messages of one conversation, in memory and in its session: what is in one is in the other. */
export class History {
  readonly #log: SessionLog
  readonly #messages: Message[]
  readonly #model: () => string
  #usage: Usage

  constructor({ log, messages, usage, model }: HistoryOptions) {
    this.#log = log
    this.#messages = [...messages]
    this.#usage = usage ?? noUsage
    this.#model = model
  }

  get messages(): readonly Message[] {
    return this.#messages
  }

  get usage(): Usage {
    return this.#usage
  }

  /** Counts what a reply cost; the next message that is appended saves it. */
  spend(usage: Usage): void {
    this.#usage = addUsage(this.#usage, usage)
  }

  async append(message: Message): Promise<void> {
    await this.#log.append(message, { usage: this.#usage, head: message.id, model: this.#model() })
    this.#messages.push(message)
  }

  sync(): Promise<void> {
    return this.#log.sync()
  }
}
