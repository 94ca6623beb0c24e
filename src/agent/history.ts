import type { PipeError } from '../error.ts'
import type { MessageId } from '../id.ts'
import type { Message } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { SessionLog } from '../session.ts'
import { contextOf } from './context.ts'
import type { Meter } from './meter.ts'

export interface HistoryOptions {
  readonly log: SessionLog
  readonly messages: readonly Message[]
  /** The last message in the log. `undefined`: the last of `messages`. */
  readonly lastWritten: MessageId | undefined
  /** Spending of the session, saved with each message. */
  readonly spent: Meter
  /** The current `provider/model`. */
  readonly model: () => string
}

/** The messages of one conversation, the same in memory and in its session. */
export class History {
  readonly #log: SessionLog
  readonly #messages: Message[]
  #lastWritten: MessageId | undefined
  readonly #spent: Meter
  readonly #model: () => string

  constructor({ log, messages, lastWritten, spent, model }: HistoryOptions) {
    this.#log = log
    this.#messages = [...messages]
    this.#lastWritten = lastWritten ?? messages.at(-1)?.id
    this.#spent = spent
    this.#model = model
  }

  get messages(): readonly Message[] {
    return this.#messages
  }

  /** The messages that requests send. */
  get context(): readonly Message[] {
    return contextOf(this.#messages)
  }

  /** The reason why the last messages wait in memory. */
  get unsaved(): PipeError | undefined {
    return this.#log.unsaved
  }

  async append(given: Message): Promise<void> {
    const message = this.#placed(given)
    const { usage, costUsd } = this.#spent
    const state = { usage, ...omitUndefined({ costUsd }), head: message.id, model: this.#model() }
    await this.#log.append(message, state)
    this.#lastWritten = message.id
    this.#messages.push(message)
  }

  /** Names the parent of a message that does not follow the one written last. */
  #placed(message: Message): Message {
    const parentId = this.#messages.at(-1)?.id
    return parentId === undefined || parentId === this.#lastWritten ? message : { ...message, parentId }
  }

  sync(): Promise<void> {
    return this.#log.sync()
  }
}
