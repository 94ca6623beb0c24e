import type {
  AnswerQuestion,
  Arrival,
  ConversationSettings,
  GoToOptions,
  LocalConversation,
  QueuedMessage,
  RunOptions,
  SentAs,
  Watched,
  WatchOptions,
  When,
} from '../../conversation.ts'
import type { ElvesAtWork } from '../../elf.ts'
import type { AgentState, Command, Engine, Turn } from '../../engine.ts'
import { PipeError } from '../../error.ts'
import type { AgentEvent } from '../../event.ts'
import type { ContextUse } from '../../history/context-use.ts'
import type { MessageId, SessionId } from '../../id.ts'
import type { InteractionResponse } from '../../interaction.ts'
import { ShutdownReason } from '../../machine/shutdown-reason.ts'
import type { Message, UserMessage } from '../../message.ts'
import type { PermissionMode } from '../../permission.ts'
import type { ThinkingLevel } from '../../provider.ts'
import type { Usage } from '../../usage.ts'
import type { OpenEngine } from '../open-engine.ts'
import { BackgroundElves } from './background-elves.ts'
import { ConversationLog } from './conversation-log.ts'
import type { DriverOptions } from './driver-options.ts'
import { ElfReports } from './elf-reports.ts'
import { Inbox } from './inbox.ts'
import { TurnSequence } from './turn-sequence.ts'

/** Runs one conversation in this process: the only place where turns are driven. */
export class Driver implements LocalConversation {
  readonly sessionId: SessionId | undefined
  readonly #open: Pick<OpenEngine, 'close'>
  readonly #engine: Engine
  readonly #options: DriverOptions
  readonly #log: ConversationLog
  readonly #reports: ElfReports
  readonly #turns: TurnSequence
  readonly #inbox: Inbox
  readonly #elves: BackgroundElves | undefined
  readonly #closing = new AbortController()
  #onQuestion: AnswerQuestion | undefined
  /** Of elves in the background. Thrown by the next run. */
  #failure: { readonly error: unknown } | undefined
  #closed: Promise<void> | undefined

  constructor(open: Pick<OpenEngine, 'engine' | 'close'>, options: DriverOptions) {
    const { engine } = open
    this.sessionId = options.sessionId
    this.#open = open
    this.#engine = engine
    this.#options = options
    this.#onQuestion = options.onQuestion
    this.#log = new ConversationLog({
      engine,
      settings: options.settings.current,
      queue: () => this.#inbox.queue,
      limits: options.limits,
    })
    this.#reports = new ElfReports(engine)
    this.#turns = new TurnSequence({
      engine,
      log: this.#log,
      reports: this.#reports,
      hooks: options.hooks,
      closing: this.#closing.signal,
      respond: (response) => this.#answer(response),
      onEvent: (event) => this.#see(event),
      onEnd: (turn) => this.#log.tellEnd(turn),
      onFree: (isDone) => this.#goOn(isDone),
      onFailure: (error) => this.#log.tellFailure(error),
    })
    this.#inbox = new Inbox({
      engine,
      turns: this.#turns,
      kept: options.queue,
      onQuestion: () => this.#onQuestion,
      changed: () => this.#log.tell({ type: 'queue', queue: this.#inbox.queue }),
    })
    this.#elves = options.elves && this.#follow(options.elves)
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

  get settings(): ConversationSettings {
    return this.#options.settings.current()
  }

  get isRunning(): boolean {
    return this.#turns.isRunning
  }

  get canResume(): boolean {
    return this.#engine.canResume
  }

  get queue(): readonly QueuedMessage[] {
    return this.#inbox.queue
  }

  get unsaved(): PipeError | undefined {
    return this.#engine.unsaved
  }

  contextUse(): ContextUse {
    return this.#engine.contextUse()
  }

  /** Throws `conflict` after `close`. */
  requireOpen(): void {
    if (this.#closed !== undefined) throw new PipeError('conflict', 'the conversation is closed')
  }

  /** Throws `conflict` while a turn runs that `run` or `resume` began, and after `close`. */
  requireFree(): void {
    this.requireOpen()
    if (this.#turns.isRun) throw new PipeError('conflict', 'a turn is already running')
  }

  /** Throws `conflict` while any turn runs and after `close`. */
  requireIdle(): void {
    this.requireFree()
    if (this.isRunning) throw new PipeError('conflict', 'a turn is running that was not started here')
  }

  async run(message: UserMessage, options: RunOptions = {}): Promise<Turn> {
    return this.#userTurn(message, options)
  }

  async resume(options: RunOptions = {}): Promise<Turn> {
    return this.#userTurn(undefined, options)
  }

  command(command: Command): void {
    this.requireOpen()
    if (command.type === 'respond') this.#answer(command.response)
    else if (command.type === 'interrupt') this.#turns.interrupt()
    else this.#engine.send(command)
    this.#log.tellSettings()
  }

  watch(options: WatchOptions = {}): AsyncIterableIterator<Watched, undefined> {
    return this.#log.watch(options)
  }

  async send(message: UserMessage, when: When = 'now'): Promise<SentAs> {
    this.requireOpen()
    return this.#inbox.send(message, when)
  }

  takeBack(id: MessageId): Promise<void> {
    return this.#inbox.takeBack(id)
  }

  async respond(response: InteractionResponse): Promise<void> {
    this.requireOpen()
    this.#answer(response)
  }

  async goOn(): Promise<void> {
    this.requireOpen()
    if (this.isRunning) return
    if (this.canResume) void this.#turns.begin(undefined, this.#onQuestion)
    else this.#goOn(true)
  }

  async interrupt(reason?: unknown): Promise<void> {
    this.#turns.interrupt(reason)
  }

  async compact(keep?: string, when: When = 'now'): Promise<string | undefined> {
    await this.#turns.untilSaved()
    this.requireOpen()
    this.#engine.send({ type: 'compact', keep })
    if (this.isRunning || when === 'later') return 'the history is summarised before the next request'
    void this.#turns.begin(undefined, this.#onQuestion)
    return undefined
  }

  async setModel(name: string): Promise<string> {
    this.requireOpen()
    return this.#log.telling(this.#options.settings.setModel(name))
  }

  async setThinking(level: ThinkingLevel): Promise<void> {
    this.requireOpen()
    return this.#log.telling(this.#options.settings.setThinking(level))
  }

  async setMode(mode: PermissionMode): Promise<string | undefined> {
    this.requireOpen()
    return this.#log.telling(this.#options.settings.setMode(mode))
  }

  async goTo(message: MessageId, options: GoToOptions): Promise<Arrival> {
    const { goTo } = this.#options
    if (goTo === undefined) throw new PipeError('input', 'this conversation cannot go back')
    const arrival = await this.alone(() => goTo(message, options))
    this.#log.restart()
    return arrival
  }

  async alone<T>(act: () => Promise<T>): Promise<T> {
    await this.#turns.untilSaved()
    this.requireIdle()
    return this.#turns.alone(act)
  }

  async stopElf(name: string): Promise<boolean> {
    return this.#options.elves?.stop(name) ?? false
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #userTurn(message: UserMessage | undefined, options: RunOptions): Promise<Turn> {
    this.requireFree()
    this.#onQuestion = options.onQuestion ?? this.#onQuestion
    if (this.#elves !== undefined) this.#elves.answer = this.#onQuestion
    const turn = await this.#turns.run(message, { ...options, onQuestion: this.#onQuestion })
    const failure = this.#failure
    this.#failure = undefined
    if (failure !== undefined) throw failure.error
    return turn
  }

  #see(event: AgentEvent): void {
    if ((event.type === 'turn_start' || event.type === 'message') && event.message?.type === 'user')
      this.#inbox.delivered(event.message.id)
    if (this.unsaved === undefined) this.#inbox.release()
    this.#elves?.see(event)
  }

  #follow(elves: ElvesAtWork): BackgroundElves {
    return new BackgroundElves({
      elves,
      signal: this.#closing.signal,
      onEvent: (event) => this.#log.add(event),
      onQuestion: (question) => this.#log.askForElf(question),
      onReport: (report) => this.#reports.deliver(report),
      onNews: () => this.#goOn(false),
      onFailure: (error) => {
        this.#failure ??= { error }
        this.#turns.interrupt()
        this.#log.tellFailure(error)
      },
    })
  }

  /** Begins a turn with the results of elves, or with the next message that waits. Says so if there is neither. */
  #goOn(isDone: boolean): void {
    if (this.isRunning || this.#closed !== undefined) return
    const isNext = isDone && this.#options.leavesQueue !== true
    const next = this.#reports.take() ?? (isNext ? this.#inbox.next() : undefined)
    if (next !== undefined) void this.#turns.begin(next, this.#onQuestion)
    else if (this.#options.elves?.isBusy !== true && !this.#inbox.isArriving) this.#log.settle()
  }

  #answer(response: InteractionResponse): void {
    if (this.#log.isOfElf(response.interactionId)) this.#elves?.respond(response)
    else this.#engine.send({ type: 'respond', response })
  }

  async #close(): Promise<void> {
    this.#closing.abort(new ShutdownReason('the conversation is closed'))
    this.#log.release()
    await this.#turns.settle()
    await this.#elves?.close()
    try {
      await this.#open.close()
    } finally {
      this.#log.end()
      await this.#inbox.settle()
    }
  }
}
