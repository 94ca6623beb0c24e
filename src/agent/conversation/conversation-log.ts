import type {
  ConversationSettings,
  QueuedMessage,
  Snapshot,
  Watched,
  WatchedFact,
  WatchOptions,
} from '../../conversation.ts'
import type { Engine, Turn } from '../../engine.ts'
import { isPipeError, PipeError } from '../../error.ts'
import type { AgentEvent } from '../../event.ts'
import type { Interaction } from '../../interaction.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { EventLog, type LogLimits } from './event-log.ts'
import { Underway } from './underway.ts'

export interface ConversationLogOptions {
  readonly engine: Engine
  readonly settings: () => ConversationSettings
  readonly queue: () => readonly QueuedMessage[]
  readonly limits: LogLimits | undefined
}

/** Tells those who watch a conversation what happens in it, and how it stands. */
export class ConversationLog {
  readonly #options: ConversationLogOptions
  readonly #events: EventLog
  readonly #underway = new Underway()
  /** The settings that watchers know. */
  #settings: ConversationSettings
  #isSettled = true

  constructor(options: ConversationLogOptions) {
    this.#options = options
    this.#settings = options.settings()
    this.#events = new EventLog({
      run: options.engine.id,
      snapshot: () => this.#snapshot(),
      limits: options.limits,
    })
  }

  watch(options: WatchOptions): AsyncIterableIterator<Watched, undefined> {
    return this.#events.watch(options)
  }

  /** Adds an event. Returns what to wait for if watchers that keep pace are far behind. */
  add(event: AgentEvent): Promise<void> | undefined {
    if (event.agentId === this.#options.engine.id) {
      if (event.type === 'turn_start') this.#begin()
      // A hook may have set the mode with its yes to the call.
      if (event.type === 'tool_end') this.tellSettings()
      this.#underway.add(event)
    } else if (event.type === 'interaction_responded') this.#underway.add(event)
    this.#events.append(event)
    return this.#events.pace()
  }

  /** Adds a question of an elf in the background, which outlasts the turn. */
  askForElf(question: Interaction): void {
    this.#underway.askForElf(question)
    this.tell({ type: 'asked', question })
  }

  /** Whether an elf in the background asks this. */
  isOfElf(interactionId: string): boolean {
    return this.#underway.isOfElf(interactionId)
  }

  tell(fact: WatchedFact): void {
    this.#events.tell(fact)
  }

  /** Tells how a turn ended. */
  tellEnd({ stopReason, error, unsaved }: Turn): void {
    this.tell({ type: 'ended', ending: { stopReason, error, unsaved } })
  }

  /** Tells of a failure that no turn reports. Any other error than a `PipeError` is a bug. */
  tellFailure(error: unknown): void {
    this.tell({ type: 'ended', ending: { stopReason: 'error', error: asPipeError(error) } })
  }

  /** Waits for a change of settings, and tells them if they are others now. */
  async telling<T>(change: Promise<T>): Promise<T> {
    const done = await change
    this.tellSettings()
    return done
  }

  /** Tells the settings if they have changed, whoever did it. */
  tellSettings(): void {
    const [now, before] = [this.#options.settings(), this.#settings]
    if (now.model === before.model && now.thinking === before.thinking && now.mode === before.mode) return
    this.#settings = now
    this.tell({ type: 'settings', settings: now })
  }

  /** Tells that nothing goes on by itself, unless that is known. */
  settle(): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.tell({ type: 'settled' })
  }

  /** Gives watchers a snapshot instead of the events of a turn that threw, because these have no end. */
  forgetTurn(): void {
    const { isTurn } = this.#underway
    this.#underway.clear()
    if (isTurn) this.restart()
  }

  /** Gives every watcher a snapshot. */
  restart(): void {
    this.#events.restart()
  }

  /** Waits for no watcher any more. */
  release(): void {
    this.#events.release()
  }

  end(): void {
    this.#events.end()
  }

  #begin(): void {
    this.#isSettled = false
    this.tellSettings()
  }

  #snapshot(): Snapshot {
    const { engine, queue, settings } = this.#options
    const { state, history, usage, costUsd } = engine
    return {
      state,
      isSettled: this.#isSettled,
      messages: [...history],
      usage,
      ...omitUndefined({ costUsd }),
      ...this.#underway.snapshot(),
      queue: queue(),
      settings: settings(),
    }
  }
}

function asPipeError(error: unknown): PipeError {
  if (isPipeError(error)) return error
  return new PipeError('internal', `this is a bug in pipe: ${String(error)}`, { cause: error })
}
