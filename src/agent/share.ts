import type { ElvesAtWork } from '../elf.ts'
import type { AgentState, Command, Engine, Turn } from '../engine.ts'
import { PipeError } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import type { ContextUse } from '../history/context-use.ts'
import type { SessionId } from '../id.ts'
import type { InteractionResponse } from '../interaction.ts'
import { ShutdownReason } from '../machine/shutdown-reason.ts'
import type { Message, UserMessage } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { AnswerQuestion, RunOptions, Snapshot, Watched, WatchOptions } from '../shared-conversation.ts'
import type { Usage } from '../usage.ts'
import type { Conversation } from './conversation.ts'
import { driveTurn } from './drive-turn.ts'
import { ElfReports } from './elf-reports.ts'
import { EventLog, type LogLimits } from './event-log.ts'
import { linkAbort } from './linked-abort.ts'
import type { OwnedConversation } from './owned-conversation.ts'
import { Questions } from './questions.ts'
import { SharedElves } from './shared-elves.ts'
import { Underway } from './underway.ts'

export interface ShareOptions {
  /** Absent if the conversation is not saved. */
  readonly sessionId: SessionId | undefined
  /** Default: 10,000 events and 8,000,000 characters. */
  readonly limits?: LogLimits
  /** The elves of the conversation. Default: it has none. */
  readonly elves?: ElvesAtWork | undefined
}

/** Makes one owner of a conversation, whose events any number of watchers can read. */
export function shareConversation(
  conversation: Pick<Conversation, 'engine' | 'close'>,
  options: ShareOptions,
): OwnedConversation {
  return new Owner(conversation, options)
}

/** Options of a run besides its message. */
interface Driving extends Omit<RunOptions, 'signal'> {
  /** Interrupts the turn. */
  readonly controller: AbortController
}

class Owner implements OwnedConversation {
  readonly sessionId: SessionId | undefined
  readonly #conversation: Pick<Conversation, 'engine' | 'close'>
  readonly #engine: Engine
  readonly #log: EventLog
  readonly #underway = new Underway()
  readonly #closing = new AbortController()
  readonly #elves: SharedElves | undefined
  readonly #reports: ElfReports
  /** The handler of the last run. */
  #onQuestion: AnswerQuestion | undefined
  #running: Promise<Turn> | undefined
  /** Stop turns that are to begin, of which the engine does not know yet. */
  readonly #unbegun = new Set<AbortController>()
  /** A turn that the result of an elf began. */
  #followUp: Promise<void> | undefined
  /** Thrown by the next run. */
  #failure: { readonly error: unknown } | undefined
  #closed: Promise<void> | undefined

  constructor(
    conversation: Pick<Conversation, 'engine' | 'close'>,
    { sessionId, limits, elves }: ShareOptions,
  ) {
    this.sessionId = sessionId
    this.#conversation = conversation
    this.#engine = conversation.engine
    this.#log = new EventLog({
      run: conversation.engine.id,
      snapshot: () => this.#snapshot(),
      ...omitUndefined({ limits }),
    })
    this.#reports = new ElfReports(this.#engine)
    this.#elves = elves && this.#follow(elves)
  }

  get state(): AgentState {
    return this.#engine.state
  }

  get messages(): readonly Message[] {
    return this.#engine.history
  }

  get usage(): Usage {
    return this.#engine.usage
  }

  get costUsd(): number | undefined {
    return this.#engine.costUsd
  }

  get unsaved(): PipeError | undefined {
    return this.#engine.unsaved
  }

  contextUse(): ContextUse {
    return this.#engine.contextUse()
  }

  requireOpen(): void {
    if (this.#closed !== undefined) throw new PipeError('conflict', 'the conversation is closed')
  }

  requireFree(): void {
    this.requireOpen()
    if (this.#running !== undefined) throw new PipeError('conflict', 'a turn is running already')
  }

  requireIdle(): void {
    this.requireFree()
    if (this.#followUp !== undefined)
      throw new PipeError('conflict', 'a turn is running that the result of an elf began')
  }

  get canResume(): boolean {
    return this.#engine.canResume
  }

  run(message: UserMessage, options: RunOptions = {}): Promise<Turn> {
    return this.#run(message, options)
  }

  resume(options: RunOptions = {}): Promise<Turn> {
    return this.#run(undefined, options)
  }

  async #run(message: UserMessage | undefined, options: RunOptions): Promise<Turn> {
    this.requireFree()
    const { controller, unlink } = linkAbort(this.#closing.signal)
    this.#unbegun.add(controller)
    const stop = () => controller.abort(options.signal?.reason)
    if (options.signal?.aborted === true) stop()
    options.signal?.addEventListener('abort', stop, { once: true })
    try {
      this.#onQuestion = options.onQuestion ?? this.#onQuestion
      if (this.#elves !== undefined) this.#elves.answer = this.#onQuestion
      this.#running = this.#inTurn(message, { ...options, controller })
      return await this.#running
    } finally {
      this.#running = undefined
      this.#unbegun.delete(controller)
      this.#forgetTurn()
      this.#goOn()
      options.signal?.removeEventListener('abort', stop)
      unlink()
    }
  }

  send(command: Command): void {
    this.requireOpen()
    if (command.type === 'interrupt') for (const controller of this.#unbegun) controller.abort()
    if (command.type === 'respond') this.#respond(command.response)
    else this.#engine.send(command)
  }

  watch(options: WatchOptions = {}): AsyncIterableIterator<Watched, undefined> {
    return this.#log.watch(options)
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #drive(
    message: UserMessage | undefined,
    { controller, onQuestion, onEvent: tell }: Driving,
  ): Promise<Turn> {
    const { signal } = controller
    const questions =
      onQuestion &&
      new Questions({
        answer: onQuestion,
        respond: (response) => this.#respond(response),
        interrupt: () => this.#engine.send({ type: 'interrupt' }),
      })
    const onEvent = (event: AgentEvent) => {
      this.#unbegun.delete(controller)
      this.#underway.add(event)
      this.#log.append(event)
      questions?.see(event)
      return tell?.(event)
    }
    const onElfEvent = (event: AgentEvent) => {
      this.#log.append(event)
      return tell?.(event)
    }
    const handlers = { signal, onEvent, onElfEvent }
    try {
      const drive = (next: UserMessage | undefined) => {
        this.#unbegun.add(controller)
        return this.#reports.during(() => driveTurn(this.#engine, next, handlers))
      }
      let turn = await drive(message)
      while (turn.late !== undefined) turn = await drive(turn.late)
      if (questions?.failure !== undefined) throw questions.failure.error
      return turn
    } finally {
      this.#unbegun.delete(controller)
      questions?.close()
    }
  }

  /** Runs a turn of the user, after the one that the result of an elf began. */
  async #inTurn(message: UserMessage | undefined, options: Driving) {
    await this.#followUp
    const failure = this.#failure
    this.#failure = undefined
    if (failure !== undefined) throw failure.error
    return this.#drive(message, options)
  }

  #follow(elves: ElvesAtWork): SharedElves {
    return new SharedElves({
      elves,
      signal: this.#closing.signal,
      onEvent: (event) => {
        if (event.type === 'interaction_responded') this.#underway.add(event)
        this.#log.append(event)
      },
      onQuestion: (question) => this.#underway.askForElf(question),
      onReport: (report) => {
        this.#reports.deliver(report)
        this.#goOn()
      },
      onFailure: (error) => this.#fail(error),
    })
  }

  /** The next run throws the error. */
  #fail(error: unknown): void {
    this.#failure ??= { error }
  }

  /** Begins a turn with the results of elves, unless one runs. */
  #goOn(): void {
    if (this.#running !== undefined || this.#followUp !== undefined || this.#closed !== undefined) return
    const report = this.#reports.take()
    if (report === undefined) return
    const { controller, unlink } = linkAbort(this.#closing.signal)
    const turn = this.#drive(report, { controller, ...omitUndefined({ onQuestion: this.#onQuestion }) })
    this.#followUp = turn
      .then(
        () => undefined,
        (error: unknown) => this.#fail(error),
      )
      .finally(() => {
        unlink()
        this.#followUp = undefined
        this.#forgetTurn()
        this.#goOn()
      })
  }

  #respond(response: InteractionResponse): void {
    if (this.#underway.isOfElf(response.interactionId)) this.#elves?.respond(response)
    else this.#engine.send({ type: 'respond', response })
  }

  async #close(): Promise<void> {
    this.#closing.abort(new ShutdownReason('the conversation is closed'))
    // The caller that runs the turn gets its failure.
    await this.#running?.catch(() => undefined)
    await this.#followUp
    await this.#elves?.close()
    try {
      await this.#conversation.close()
    } finally {
      this.#log.end()
    }
  }

  /** Gives watchers a snapshot if the turn threw, because its events then have no end. */
  #forgetTurn(): void {
    const { isTurn } = this.#underway
    this.#underway.clear()
    if (isTurn) this.#log.restart()
  }

  #snapshot(): Snapshot {
    const { state, history, usage, costUsd } = this.#engine
    return {
      state,
      messages: [...history],
      usage,
      ...omitUndefined({ costUsd }),
      ...this.#underway.snapshot(),
    }
  }
}
