import { isPipeError, PipeError } from '../../error.ts'
import type { WaitingMessage } from '../../history/message-queue.ts'
import type { MessageId } from '../../id.ts'
import type { Interaction } from '../../interaction.ts'
import type { UserMessage } from '../../message.ts'
import type { Answer, RunOptions, Watched } from '../../shared-conversation.ts'
import type { ServedConversation } from '../backend.ts'
import { Bell } from './bell.ts'
import { Starts } from './starts.ts'
import { isOwn, type TurnFacts } from './turn-facts.ts'
import type { WaitingMessages } from './waiting-messages.ts'

export interface TurnsOptions {
  readonly conversation: ServedConversation
  readonly waiting: WaitingMessages
  readonly facts: TurnFacts
  /** Somebody else runs the turns: what waits is left for later. */
  readonly isBorrowed: boolean
  readonly isWatched: () => boolean
  readonly onUnwatched: 'ask' | 'deny' | 'stop'
  /** Called after a turn, with the reason if it failed. */
  readonly ended: (failure: PipeError | undefined) => void
}

/** Runs the turns of one conversation, and after each the next message that waits. An interrupted or failed turn leaves them waiting. */
export class Turns {
  readonly #options: TurnsOptions
  readonly #starts = new Starts()
  /** Steering messages that the engine has. */
  readonly #sent = new Set<MessageId>()
  /** The turn that runs; never rejects. */
  #turn: Promise<void> | undefined
  /** The end of that turn was told, but it still saves its files. */
  #isEnding = false
  /** Rings once that is over. */
  readonly #ends = new Bell()
  #isClosing = false

  constructor(options: TurnsOptions) {
    this.#options = options
  }

  get isRunning(): boolean {
    return this.#turn !== undefined || this.#options.facts.isTurn
  }

  /** Waits while a turn whose end was told still saves its files. Whoever saw that end expects to begin the next turn. */
  async untilSaved(): Promise<void> {
    const never = new AbortController().signal
    while (this.#isEnding) await this.#ends.next(never)
  }

  /** Begins a turn. Resolves when the session has its message; throws the reason why it has not. */
  async start(message: UserMessage): Promise<void> {
    const saved = this.#starts.expect(message.id)
    try {
      await Promise.race([saved, this.#run(message)])
    } finally {
      this.#starts.forget(message.id)
    }
  }

  /** Begins a turn without a message: at the questions that an earlier run has left open, or to compact. */
  resume(): void {
    void this.#run(undefined)
  }

  /** Begins a turn with the first message that waits, unless one runs. */
  goOn(): void {
    const [next] = this.#options.waiting.all
    if (next === undefined || this.isRunning || this.#isClosing || this.#options.isBorrowed) return
    this.withdraw(next)
    void this.#run(next.message)
  }

  /** Delivers a message with the next request of the running turn. */
  steer(message: UserMessage): void {
    this.#options.conversation.send({ type: 'steer', message })
    this.#sent.add(message.id)
  }

  /** Takes a message out of the engine, if it has it. Throws `not_found` if it was delivered. */
  withdraw({ message: { id } }: WaitingMessage): void {
    if (this.#sent.delete(id)) this.#options.conversation.send({ type: 'take_back', messageId: id })
  }

  see(watched: Watched): void {
    this.#starts.see(watched)
    if (watched.type !== 'event') return
    this.#read(watched)
    this.release()
  }

  /** Forgets the delivered messages, once the session has them on disk. */
  release(): void {
    const { conversation, waiting } = this.#options
    if (conversation.unsaved === undefined) waiting.release()
  }

  #read({ event, position }: Extract<Watched, { type: 'event' }>): void {
    if (!isOwn(event, position)) return
    if (event.type === 'turn_start' || event.type === 'message') this.#delivered(event.message?.id)
    if (event.type === 'turn_start') this.#setEnding(false)
    if (event.type === 'turn_end') this.#setEnding(this.#turn !== undefined)
    // A turn that the result of an elf began, or one whose end is told here after it is known.
    const isOver = event.type === 'turn_end' && this.#turn === undefined
    if (isOver && event.stopReason !== 'aborted' && event.stopReason !== 'error') this.goOn()
  }

  /** Begins no further turn. */
  close(): void {
    this.#isClosing = true
  }

  /** Waits for the end of the running turn. */
  async settle(): Promise<void> {
    await this.#turn
  }

  /** Runs a turn to its end. Rejects if its message was not saved. */
  #run(message: UserMessage | undefined): Promise<void> {
    const { conversation } = this.#options
    const running =
      message === undefined
        ? conversation.resume(this.#runOptions())
        : conversation.run(message, this.#runOptions())
    const over = running.then(({ messages, error, stopReason }) => {
      const isSaved = message === undefined || messages.some(({ id }) => id === message.id)
      return { isDone: error === undefined && stopReason !== 'aborted', isSaved, error }
    })
    this.#turn = over.then(
      ({ isDone, error }) => this.#ended(isDone, error),
      (error: unknown) => this.#ended(false, isPipeError(error) ? error : bug(error)),
    )
    const begun = over.then(({ isSaved, error }) => {
      if (!isSaved)
        throw error ?? new PipeError('conflict', 'the session was closed before the message was saved')
    })
    // The events of a turn tell its failure to all who watch; only `start` waits for its beginning.
    begun.catch(() => undefined)
    return begun
  }

  #ended(isDone: boolean, failure: PipeError | undefined): void {
    this.#turn = undefined
    this.#options.ended(failure)
    if (isDone) this.goOn()
    this.#setEnding(false)
  }

  #setEnding(isEnding: boolean): void {
    this.#isEnding = isEnding
    if (!isEnding) this.#ends.ring()
  }

  /** Notes that the session has a message. The session wins over the queue where a crash leaves it in both. */
  #delivered(id: MessageId | undefined): void {
    if (id === undefined) return
    this.#sent.delete(id)
    this.#options.waiting.deliver(id)
  }

  #runOptions(): RunOptions {
    const { onUnwatched } = this.#options
    if (onUnwatched === 'ask') return {}
    return { onQuestion: (question, { signal }) => this.#answer(question, onUnwatched, signal) }
  }

  /** Answers a question that nobody watches. Leaves others to those who send `respond`. */
  #answer(
    { display }: Interaction,
    onUnwatched: 'deny' | 'stop',
    signal: AbortSignal,
  ): Promise<Answer> | Answer {
    if (this.#options.isWatched())
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    if (onUnwatched === 'deny') return { cancelled: true }
    throw new PipeError('permission', `nobody watches this session who could be asked: ${display.title}`)
  }
}

function bug(cause: unknown): PipeError {
  return new PipeError('internal', 'an unexpected failure of the server', { cause })
}
