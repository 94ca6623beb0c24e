import { localUser } from '../../actor.ts'
import type { Conversation, When } from '../../conversation.ts'
import { isPipeError, type PipeError } from '../../error.ts'
import type { InteractionResponse } from '../../interaction.ts'
import { ShutdownReason } from '../../machine/shutdown-reason.ts'
import type { UserMessage } from '../../message.ts'
import type { Queued, Waiting } from '../state.ts'
import type { ShownOptions } from './shown-options.ts'
import { WatchedScreen } from './watched-screen.ts'

const compactionNote = 'The history is summarised before the next request.'

/** Shows a conversation, whoever runs it and begins its turns, and sends it what the user wants. */
export class ShownConversation {
  readonly #options: ShownOptions
  readonly #conversation: Conversation
  /** This process runs it. */
  readonly #isLocal: boolean
  readonly #screen: WatchedScreen
  readonly #left = new AbortController()
  readonly #following: Promise<void>

  constructor(options: ShownOptions) {
    const { conversation, server } = options.view
    this.#options = options
    this.#conversation = conversation
    this.#isLocal = server === undefined
    this.#screen = new WatchedScreen(options)
    this.#following = this.#follow(this.#left.signal)
  }

  /** Absent if nothing is saved. */
  get sessionId(): string | undefined {
    return this.#options.view.sessionId
  }

  /** Id of the session to resume, if it has any messages. */
  get resumable(): string | undefined {
    const isBegun = this.#conversation.messages.length > 0 || this.#screen.isBusy
    return isBegun || !this.#isLocal ? this.sessionId : undefined
  }

  /** Asks the questions that an earlier run left open. A server does so by itself. */
  resume(): void {
    if (this.#isLocal) void this.#want(() => this.#conversation.goOn())
  }

  /** Begins a turn with a message, or steers the running one; `later`: begins one after it. */
  send(message: UserMessage, waiting: Waiting, when: When): void {
    const screen = this.#screen
    const kind = when === 'now' ? 'next' : 'after'
    screen.queue.send({ id: message.id, ...waiting, kind }, screen.isRunning)
    screen.showWork()
    void this.#want(async () => {
      try {
        screen.queue.answered(message.id, await this.#conversation.send(message, when))
      } catch (error) {
        screen.queue.remove(message.id)
        this.#options.store.dispatch({ type: 'given_back', written: waiting.written })
        throw error
      } finally {
        screen.showWork()
      }
    })
  }

  /** Summarises the history now, or with the next request while a turn runs or the user has yet to trust the folder. */
  compact(keep: string | undefined): Promise<void> {
    const { api, note } = this.#options
    const waits = this.#screen.isBusy || api.trustQuestion?.() !== undefined
    if (this.#isLocal && !waits) this.#screen.begin(true)
    return this.#want(async () => {
      const told = await this.#conversation.compact(keep, waits && this.#isLocal ? 'later' : 'now')
      if (told !== undefined) note('info', this.#isLocal ? compactionNote : told)
    })
  }

  /**
   * Stops the turn, and gives back what was sent for it from here. Where this process runs it, the screen shows it as ended at once, while
   * the engine winds down. Between turns, declines the question of an elf.
   */
  interrupt(): void {
    const [question] = this.#options.store.screen.questions
    if (!this.#screen.isBusy && question?.asker?.type === 'elf')
      this.respond({ interactionId: question.interaction.id, answeredBy: localUser, cancelled: true })
    else if (this.#isLocal) this.#interruptHere()
    else void this.#want(() => this.#stopElsewhere())
  }

  /** Moves the newest queued message back into the prompt, unless it was delivered meanwhile. */
  takeBack(): void {
    const newest = this.#screen.queue.waiting.at(-1)
    if (newest === undefined) return
    if (this.#isLocal) this.#giveBack(newest)
    void this.#want(() => (this.#isLocal ? this.#withdraw(newest) : this.#takeBack(newest)))
  }

  respond(response: InteractionResponse): void {
    const { store, note } = this.#options
    const [question] = store.screen.questions
    store.dispatch({ type: 'answered' })
    void this.#want(async () => {
      try {
        const isTaken = await unlessGone(this.#conversation.respond(response))
        if (!isTaken) note('info', 'that question was answered elsewhere')
      } catch (error) {
        if (question !== undefined) this.#screen.ask(question.interaction, question.asker?.type === 'elf')
        throw error
      }
    })
  }

  /** Resolves when the last turn is over for the engine too, which saves files after its end. At once if a server runs it. */
  async ended(): Promise<void> {
    if (this.#isLocal) await this.#screen.free()
  }

  /** Stops a turn of this process, and waits for its end. Its open questions are kept. */
  async stop(): Promise<void> {
    if (!this.#isLocal || this.#left.signal.aborted) return
    // Open questions wait for the next run, and a turn that saves its files is not followed by another.
    const reason = new ShutdownReason('the screen is closed')
    if (this.#screen.isBusy) this.#interruptHere(reason)
    else void this.#want(() => this.#conversation.interrupt(reason))
    await this.ended()
  }

  /** Stops a turn of this process, and waits until nothing of the conversation reaches the screen any more. May be called repeatedly. */
  async close(): Promise<void> {
    await this.stop()
    this.leave()
    await this.#following
  }

  /** Shows nothing more of the conversation. */
  leave(): void {
    this.#left.abort()
    this.#screen.leave()
  }

  #interruptHere(reason?: ShutdownReason): void {
    const { queue } = this.#screen
    this.#screen.stop()
    void this.#want(() => this.#conversation.interrupt(reason))
    for (const queued of queue.waiting) {
      queue.remove(queued.id)
      void this.#want(() => this.#withdraw(queued))
    }
    this.#options.store.dispatch({ type: 'interrupted' })
  }

  /** Stops the turn of a server. What others sent goes on waiting. */
  async #stopElsewhere(): Promise<void> {
    const { own } = this.#screen.queue
    await this.#conversation.interrupt()
    // Each goes before the text in the prompt.
    for (const queued of own.toReversed()) await this.#takeBack(queued)
  }

  async #takeBack(queued: Queued): Promise<void> {
    if (await unlessGone(this.#conversation.takeBack(queued.id))) this.#giveBack(queued)
  }

  #giveBack({ id, written }: Queued): void {
    this.#screen.queue.remove(id)
    this.#screen.showWork()
    this.#options.store.dispatch({ type: 'given_back', written })
  }

  /** Gives back what waits after a turn that failed: nothing would deliver it. */
  #giveBackAll(): void {
    for (const queued of this.#screen.queue.waiting.toReversed()) {
      this.#giveBack(queued)
      void this.#want(() => this.#withdraw(queued))
    }
  }

  /** Withdraws a message that is back in the prompt already. */
  async #withdraw({ id }: Queued): Promise<void> {
    if (!(await unlessGone(this.#conversation.takeBack(id))))
      this.#options.note('info', 'the model already has that message')
  }

  async #follow(signal: AbortSignal): Promise<void> {
    try {
      for await (const watched of this.#conversation.watch({ signal, keepsPace: this.#isLocal })) {
        if (signal.aborted) return
        const pace = this.#screen.take(watched)
        if (watched.type === 'settled' && this.#isLocal) this.#giveBackAll()
        if (pace !== undefined) await pace
      }
    } catch (error) {
      if (!signal.aborted) this.#options.fail(error)
    }
  }

  /** Asks the conversation for something and shows its refusal. Any other error is a bug. */
  async #want(act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (!isPipeError(error)) this.#options.fail(error)
      else if (!this.#left.signal.aborted) this.#options.note('error', error.message)
    }
  }
}

/** Returns false if what was asked for is too late. */
async function unlessGone(asked: Promise<void>): Promise<boolean> {
  try {
    await asked
    return true
  } catch (error) {
    if (isPipeError(error) && isGone(error)) return false
    throw error
  }
}

/** Another process that holds the session (`pid`) is no reason to forget what was asked for. */
function isGone({ code, details }: PipeError): boolean {
  return code === 'not_found' || (code === 'conflict' && details['pid'] === undefined)
}
