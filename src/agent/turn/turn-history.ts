import type { PipeError } from '../../error.ts'
import { headOf } from '../../history/branch.ts'
import { firstWords } from '../../history/title-text.ts'
import type { MessageId } from '../../id.ts'
import type { Message } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { OneByOne } from '../../records/one-by-one.ts'
import type { Redact } from '../../redaction/redaction.ts'
import type { LastTurn, SessionLog, SessionState } from '../../session.ts'
import { contextOf } from '../compaction/context.ts'
import type { Meter } from '../limits/meter.ts'
import type { OpenQuestions } from '../open-questions.ts'

export interface HistoryOptions {
  readonly log: SessionLog
  readonly messages: readonly Message[]
  /** The last message in the log. `undefined`: the last of `messages`. */
  readonly lastWritten: MessageId | undefined
  /** Spending of the session, saved with each message. */
  readonly spent: Meter
  /** Saved with each message, and whenever one opens or closes. */
  readonly questions: OpenQuestions
  /** The current `provider/model`. */
  readonly model: () => string
  /** The title of an earlier session. */
  readonly title?: string | undefined
  /** Removes secrets from the title. */
  readonly redact: Redact
}

/** The messages of one conversation, the same in memory and in its session. */
export class History {
  readonly #log: SessionLog
  #messages: Message[]
  #lastWritten: MessageId | undefined
  readonly #spent: Meter
  readonly #questions: OpenQuestions
  readonly #model: () => string
  readonly #redact: Redact
  #hasTitle: boolean
  #title: string | undefined
  readonly #appends = new OneByOne()

  constructor({ log, messages, lastWritten, spent, questions, model, title, redact }: HistoryOptions) {
    this.#log = log
    this.#messages = [...messages]
    this.#lastWritten = lastWritten ?? messages.at(-1)?.id
    this.#spent = spent
    this.#questions = questions
    this.#model = model
    this.#redact = redact
    this.#hasTitle = this.#lastWritten !== undefined
    this.#title = title
  }

  get messages(): readonly Message[] {
    return this.#messages
  }

  get title(): string | undefined {
    return this.#title
  }

  /** The messages that requests send. */
  get context(): readonly Message[] {
    return contextOf(this.#messages)
  }

  /** The reason why the last messages wait in memory. */
  get unsaved(): PipeError | undefined {
    return this.#log.unsaved
  }

  /** Appends a message. Calls that run at once may append at once; each message follows the one before it. */
  append(message: Message): Promise<void> {
    return this.#appends.run(() => this.#append(message))
  }

  /** Saves which questions are open. On disk when it resolves. */
  async saveQuestions(): Promise<void> {
    await this.#log.update({ pending: this.#questions.all })
    await this.#log.sync()
  }

  /** Goes on from the end of another branch of the session. On disk when it resolves. */
  async goTo(branch: readonly Message[]): Promise<void> {
    await this.#log.update({ head: headOf(branch), pending: [] })
    await this.#log.sync()
    this.#messages = [...branch]
  }

  /** Saves the title, if one is given, and what it has cost. */
  async saveTitle(title: string | undefined): Promise<void> {
    if (title !== undefined) this.#hasTitle = true
    this.#title = title ?? this.#title
    await this.#log.update({ ...this.#cost(), ...omitUndefined({ title }) })
  }

  /** Saves how the turn ended that wrote this message last. */
  async saveEnd(lastTurn: LastTurn): Promise<void> {
    await this.#log.update({ lastTurn })
  }

  async #append(given: Message): Promise<void> {
    const message = this.#placed(given)
    const pending = this.#questions.all
    const state = { ...this.#cost(), head: message.id, model: this.#model(), pending }
    const title = this.#hasTitle ? undefined : firstWords(message, this.#redact)
    await this.#log.append(message, { ...state, ...omitUndefined({ title }) })
    this.#hasTitle = true
    this.#title = title ?? this.#title
    this.#lastWritten = message.id
    this.#messages.push(message)
  }

  #cost(): Pick<SessionState, 'usage' | 'costUsd'> {
    const { usage, costUsd } = this.#spent
    return { usage, ...omitUndefined({ costUsd }) }
  }

  /** Names the parent of a message that does not follow the one written last. */
  #placed(message: Message): Message {
    const parentId = headOf(this.#messages)
    const follows = this.#lastWritten === undefined || parentId === this.#lastWritten
    return follows ? message : { ...message, parentId }
  }

  sync(): Promise<void> {
    return this.#log.sync()
  }
}
