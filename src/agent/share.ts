import type { ContextUse } from '../context-use.ts'
import type { AgentState, Command, Engine, Turn } from '../engine.ts'
import { PipeError } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import type { SessionId } from '../id.ts'
import { Leaving } from '../leaving.ts'
import type { Message, UserMessage } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type {
  RunOptions,
  SharedConversation,
  Snapshot,
  Watched,
  WatchOptions,
} from '../shared-conversation.ts'
import type { Usage } from '../usage.ts'
import type { Conversation } from './conversation.ts'
import { driveTurn } from './drive-turn.ts'
import { EventLog, type LogLimits } from './event-log.ts'
import { linkAbort } from './linked-abort.ts'
import { Questions } from './questions.ts'
import { Underway } from './underway.ts'

export interface ShareOptions {
  /** Absent if the conversation is not saved. */
  readonly sessionId: SessionId | undefined
  /** Default: 10,000 events and 8,000,000 characters. */
  readonly limits?: LogLimits
}

/** A shared conversation in the hands of its owner. */
export interface OwnedConversation extends SharedConversation {
  /** Throws `conflict` after `close`. */
  requireOpen(): void
  /** Throws `conflict` while a turn runs and after `close`. */
  requireIdle(): void
}

/** Makes one owner of a conversation, whose events any number of watchers can read. */
export function shareConversation(
  conversation: Pick<Conversation, 'engine' | 'close'>,
  options: ShareOptions,
): OwnedConversation {
  return new Owner(conversation, options)
}

class Owner implements OwnedConversation {
  readonly sessionId: SessionId | undefined
  readonly #conversation: Pick<Conversation, 'engine' | 'close'>
  readonly #engine: Engine
  readonly #log: EventLog
  readonly #underway = new Underway()
  readonly #closing = new AbortController()
  #running: Promise<Turn> | undefined
  #closed: Promise<void> | undefined

  constructor(conversation: Pick<Conversation, 'engine' | 'close'>, { sessionId, limits }: ShareOptions) {
    this.sessionId = sessionId
    this.#conversation = conversation
    this.#engine = conversation.engine
    this.#log = new EventLog({
      run: conversation.engine.id,
      snapshot: () => this.#snapshot(),
      ...omitUndefined({ limits }),
    })
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

  contextUse(): ContextUse {
    return this.#engine.contextUse()
  }

  requireOpen(): void {
    if (this.#closed !== undefined) throw new PipeError('conflict', 'the conversation is closed')
  }

  requireIdle(): void {
    this.requireOpen()
    if (this.#running !== undefined) throw new PipeError('conflict', 'a turn is running already')
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
    this.requireIdle()
    const { controller, unlink } = linkAbort(this.#closing.signal)
    const stop = () => controller.abort(options.signal?.reason)
    if (options.signal?.aborted === true) stop()
    options.signal?.addEventListener('abort', stop, { once: true })
    try {
      this.#running = this.#drive(message, { ...options, signal: controller.signal })
      return await this.#running
    } finally {
      this.#running = undefined
      this.#forgetTurn()
      options.signal?.removeEventListener('abort', stop)
      unlink()
    }
  }

  send(command: Command): void {
    this.requireOpen()
    this.#engine.send(command)
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
    { signal, onQuestion }: RunOptions & { readonly signal: AbortSignal },
  ): Promise<Turn> {
    const questions = onQuestion && new Questions(this.#engine, onQuestion)
    const onEvent = (event: AgentEvent) => {
      this.#underway.add(event)
      this.#log.append(event)
      questions?.see(event)
    }
    const handlers = { signal, onEvent, onElfEvent: (event: AgentEvent) => this.#log.append(event) }
    try {
      let turn = await driveTurn(this.#engine, message, handlers)
      while (turn.late !== undefined) turn = await driveTurn(this.#engine, turn.late, handlers)
      if (questions?.failure !== undefined) throw questions.failure.error
      return turn
    } finally {
      questions?.close()
    }
  }

  async #close(): Promise<void> {
    this.#closing.abort(new Leaving('the conversation is closed'))
    // Whoever runs the turn gets its failure.
    await this.#running?.catch(() => undefined)
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
