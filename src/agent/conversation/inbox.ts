import type { AnswerQuestion, QueuedMessage, SentAs, When } from '../../conversation.ts'
import type { Engine } from '../../engine.ts'
import { PipeError } from '../../error.ts'
import { queued, type WaitingMessage } from '../../history/message-queue.ts'
import type { MessageId } from '../../id.ts'
import type { UserMessage } from '../../message.ts'
import { withdraw } from '../withdraw.ts'
import type { TurnSequence } from './turn-sequence.ts'
import { type KeptQueue, WaitingMessages } from './waiting-messages.ts'

export interface InboxOptions {
  readonly engine: Engine
  readonly turns: TurnSequence
  readonly kept: KeptQueue | undefined
  /** Returns the handler of the questions of turns that a message begins. */
  readonly onQuestion: () => AnswerQuestion | undefined
  /** Called after each change of what waits. */
  readonly changed: () => void
}

/** Takes the messages of a conversation: each begins a turn, steers the running one, or waits for a turn of its own. */
export class Inbox {
  readonly #options: InboxOptions
  readonly #waiting: WaitingMessages
  /** Steering messages that the engine has. */
  readonly #steered = new Set<MessageId>()
  /** Messages that were sent and wait for those before them. */
  readonly #arriving = new Set<MessageId>()
  /** The waiting message that is not on disk yet. */
  #writing: MessageId | undefined
  /** Settles after the last message was taken; never rejects. */
  #taken: Promise<unknown> = Promise.resolve()

  constructor(options: InboxOptions) {
    this.#options = options
    this.#waiting = new WaitingMessages(options)
  }

  /** The waiting messages, in order. */
  get queue(): readonly QueuedMessage[] {
    return this.#waiting.all.map(queued)
  }

  /** Whether a message was sent that was not taken yet, or is not on disk yet. */
  get isArriving(): boolean {
    return this.#arriving.size > 0 || this.#writing !== undefined
  }

  /** Takes a message after those before it. An interrupt in the meantime ends the turn that it begins. As `Conversation.send`. */
  send(message: UserMessage, when: When): Promise<SentAs> {
    const controller = this.#options.turns.prepare()
    this.#arriving.add(message.id)
    const sent = this.#taken.then(() => this.#judge(message, when, controller))
    this.#taken = Promise.allSettled([sent])
    return sent
  }

  /** Withdraws a message. Throws `not_found` if it was delivered. */
  async takeBack(id: MessageId): Promise<void> {
    if (this.#arriving.delete(id)) return
    const entry = this.#waiting.find(id)
    if (entry === undefined || !this.#withdraw(entry))
      throw new PipeError('not_found', `no message ${id} is waiting`)
    await this.#waiting.remove(id)
  }

  /** Takes the first message that waits and is on disk, to begin a turn with it. */
  next(): UserMessage | undefined {
    const [first] = this.#waiting.all
    if (first === undefined || first.message.id === this.#writing) return undefined
    this.#withdraw(first)
    return first.message
  }

  /** Notes that the session has a message. The session wins over the queue where a crash leaves it in both. */
  delivered(id: MessageId): void {
    this.#steered.delete(id)
    this.#waiting.deliver(id)
  }

  /** Forgets the delivered messages, once the session has them on disk. */
  release(): void {
    this.#waiting.release()
  }

  /** Waits until all changes are on disk. */
  async settle(): Promise<void> {
    await this.#taken
    await this.#waiting.settle()
  }

  async #judge(message: UserMessage, when: When, controller: AbortController): Promise<SentAs> {
    const { turns } = this.#options
    if (!turns.judges) return this.#take(message, when, controller)
    try {
      return await this.#take(await turns.judge(message, controller), when, controller)
    } catch (error) {
      turns.forget(controller)
      this.#arriving.delete(message.id)
      turns.free()
      throw error
    }
  }

  async #take(message: UserMessage, when: When, controller: AbortController): Promise<SentAs> {
    const { engine, turns, onQuestion } = this.#options
    await turns.untilSaved()
    const kind = when === 'now' ? 'steer' : 'follow_up'
    const isWithdrawn = !this.#arriving.delete(message.id)
    // A turn with the message would have it only after the answers to the questions of an earlier run.
    const resumes = !isWithdrawn && !turns.isRunning && engine.canResume
    if (resumes) void turns.begin(undefined, onQuestion(), controller)
    else if (!isWithdrawn && !turns.isRunning && (await this.#begin(message, controller))) return 'started'
    else turns.forget(controller)
    if (isWithdrawn) return statusOf(kind)
    await this.#keep({ message, kind })
    return statusOf(kind)
  }

  /** Adds a message to those that wait, and steers the running turn with it once it is on disk. */
  async #keep(entry: WaitingMessage): Promise<void> {
    const { message, kind } = entry
    const { turns } = this.#options
    this.#writing = message.id
    try {
      await this.#waiting.add(entry)
    } finally {
      this.#writing = undefined
      // The turn may have ended while it was written.
      if (!turns.isRunning) turns.free()
      else if (kind === 'steer' && this.#waiting.find(message.id) !== undefined) this.#steer(message)
    }
  }

  /** Begins a turn with a message, which is on disk before the turn does anything. Returns false if another turn began first. */
  async #begin(message: UserMessage, controller: AbortController): Promise<boolean> {
    const { turns, onQuestion } = this.#options
    await this.#waiting.hold({ message, kind: 'follow_up' })
    const isFree = !turns.isRunning
    try {
      if (isFree) await turns.beginSaved(message, onQuestion(), controller)
      else await this.#waiting.drop(message.id)
      return isFree
    } catch (error) {
      await this.#waiting.drop(message.id)
      throw error
    }
  }

  #steer(message: UserMessage): void {
    this.#options.engine.send({ type: 'steer', message })
    this.#steered.add(message.id)
  }

  /** Takes a message out of the engine, if that has it. Returns false if it was delivered. */
  #withdraw({ message: { id } }: WaitingMessage): boolean {
    return !this.#steered.delete(id) || withdraw(this.#options.engine, id)
  }
}

function statusOf(kind: WaitingMessage['kind']): SentAs {
  return kind === 'steer' ? 'steering' : 'queued'
}
