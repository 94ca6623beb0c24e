import { messageWithoutTags } from '../characters/tag-characters.ts'
import type { AgentState, Command, Engine, ModelChoice, Turn, Unsaved } from '../engine.ts'
import { modelName, nextState, validateTransition } from '../engine.ts'
import { PipeError, unreachable } from '../error.ts'
import type { AgentEvent, AgentFact } from '../event.ts'
import type { ContextUse } from '../history/context-use.ts'
import type { AgentId } from '../id.ts'
import { type Message, type UserMessage, validateMessage } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { LastTurn } from '../session.ts'
import type { Usage } from '../usage.ts'
import type { Agent } from './agent.ts'
import type { AgentEvents } from './agent-events.ts'
import { audited } from './calls/audited.ts'
import { contextUse } from './compaction/measure-context.ts'
import type { BranchOptions, EngineOptions } from './engine-options.ts'
import { openSpending } from './limits/budget.ts'
import type { Meter } from './limits/meter.ts'
import { linkAbort } from './linked-abort.ts'
import { Mailbox } from './mailbox.ts'
import { OpenQuestions } from './open-questions.ts'
import { summariseBranch } from './turn/branch-summary.ts'
import { openReply, stillOpen } from './turn/resumption.ts'
import { SavingWatch } from './turn/saving.ts'
import { Titling } from './turn/title.ts'
import { runTurn } from './turn/turn.ts'
import { TurnEvents } from './turn/turn-events.ts'
import { History } from './turn/turn-history.ts'

/** Runs the turns of one conversation. */
export class LoopEngine implements Engine {
  readonly #events: AgentEvents
  readonly #agent: Agent
  readonly #mailbox = new Mailbox()
  readonly #history: History
  readonly #questions: OpenQuestions
  /** Includes earlier turns of the session. */
  readonly #spent: Meter
  readonly #saving: SavingWatch
  readonly #titling: Titling
  #choice: ModelChoice
  /** The model of the running turn alone. */
  #lent: ModelChoice | undefined
  /** The choice whose reason was told. */
  #explained: ModelChoice | undefined
  #state: AgentState = 'idle'
  #running: AbortController | undefined

  constructor(options: EngineOptions) {
    const { executor, actor, clock, newId, random, systemPrompt, maxReplyTokens, temperature } = options
    const { naming = { redact: (text) => text } } = options
    const { events, limits = {}, spending = openSpending(limits) } = options
    this.#events = events
    this.#choice = options.model
    this.#spent = spending.total
    this.#questions = new OpenQuestions(stillOpen(options.messages ?? [], options.pending ?? []))
    this.#history = new History({
      log: options.log,
      messages: options.messages ?? [],
      lastWritten: options.lastWritten,
      title: options.title,
      spent: this.#spent,
      questions: this.#questions,
      model: () =>
        (this.#choice === options.model ? options.savedModel : undefined) ?? modelName(this.#choice),
      redact: naming.redact,
    })
    this.#saving = new SavingWatch(() => this.#unsavedPart(options.audit))
    this.#agent = {
      history: this.#history,
      questions: this.#questions,
      mailbox: this.#mailbox,
      executor,
      checkpoints: options.checkpoints,
      hooks: options.hooks,
      demands: options.demands ?? [],
      called: options.called,
      actor,
      trail: events.trail,
      clock,
      newId,
      random,
      systemPrompt,
      maxReplyTokens,
      temperature,
      autoCompact: options.autoCompact ?? true,
      attended: options.attended ?? false,
      limits,
      budget: spending.budget,
      routing: spending.budget.restrict(options.routing ?? { candidates: [], fallback: [], prefer: 'order' }),
      latency: new Map(),
      pace: options.pace,
      choice: () => this.#lent ?? this.#choice,
      lend: (choice) => {
        this.#lent = choice
      },
      takeReason: () => this.#takeReason(),
      enter: (state) => this.#enter(state),
    }
    this.#titling = new Titling(this.#agent, naming)
  }

  get id(): AgentId {
    return this.#events.id
  }

  get state(): AgentState {
    return this.#state
  }

  get history(): readonly Message[] {
    return this.#history.messages
  }

  get canResume(): boolean {
    return openReply(this.#history.messages, this.#questions) !== undefined
  }

  get usage(): Usage {
    return this.#spent.usage
  }

  get costUsd(): number | undefined {
    return this.#spent.costUsd
  }

  get unsaved(): PipeError | undefined {
    return this.#history.unsaved
  }

  contextUse(): ContextUse {
    return contextUse(this.#agent, this.#choice)
  }

  async *submit(
    given: UserMessage | undefined,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<AgentEvent, Turn, undefined> {
    if (this.#running !== undefined) throw new PipeError('conflict', 'a turn is already running')
    const message = given && this.#admit(given)
    if (message === undefined && !this.canResume && !this.#mailbox.isCompactionAsked)
      throw new PipeError('input', 'no question is open, so there is nothing to continue')
    const { controller, unlink } = linkAbort(signal)
    this.#setRunning(controller)
    const events = this.#begin(message, controller.signal)
    try {
      for (;;) {
        const event = await events.next()
        if (event !== undefined) yield event.type === 'agent' ? event.event : this.#events.stamped(event)
        const news = this.#saving.news()
        if (news !== undefined) yield this.#events.stamped(news)
        for (const told of this.#events.takeTold()) yield told
        if (events.end !== undefined) return this.#finished(events.end, controller.signal)
      }
    } finally {
      if (events.end === undefined) controller.abort()
      try {
        await events.close({ messages: [], usage: this.usage, rounds: 0, stopReason: 'aborted' })
      } finally {
        unlink()
        this.#setRunning(undefined)
        this.#mailbox.clear()
        this.#walkToIdle()
      }
    }
  }

  send(command: Command): void {
    switch (command.type) {
      case 'respond':
        this.#mailbox.respond(command.response)
        return
      case 'steer':
        this.#mailbox.steer(this.#admit(command.message))
        return
      case 'take_back':
        this.#mailbox.takeBack(command.messageId)
        return
      case 'interrupt':
        this.#running?.abort()
        return
      case 'set_model':
        this.#agent.trail?.choseModel(command.choice)
        this.#choice = command.choice
        // A choice made now counts for this turn too.
        this.#lent = undefined
        return
      case 'compact':
        this.#mailbox.compact(command)
        return
      default:
        unreachable(command)
    }
  }

  async goTo(branch: readonly Message[], { left = [], signal }: BranchOptions): Promise<void> {
    if (this.#running !== undefined) throw new PipeError('conflict', 'a turn is running')
    const { controller, unlink } = linkAbort(signal)
    this.#setRunning(controller)
    try {
      const summary =
        left.length === 0 ? undefined : await summariseBranch(left, this.#agent, controller.signal)
      const from = this.#history.messages.at(-1)?.id
      await this.#history.goTo(branch)
      this.#questions.clear()
      this.#agent.trail?.wentTo({ from, to: branch.at(-1)?.id, summary })
      if (summary !== undefined) await this.#history.append(summary)
      await this.#history.sync()
    } finally {
      unlink()
      this.#setRunning(undefined)
    }
  }

  /** Ends the request for a title. */
  close(): void {
    this.#titling.close()
  }

  get title(): string | undefined {
    return this.#history.title
  }

  async rename(title: string): Promise<void> {
    this.#titling.close()
    await this.#history.saveTitle(title)
  }

  saveEnd(lastTurn: LastTurn): Promise<void> {
    return this.#history.saveEnd(lastTurn)
  }

  #setRunning(controller: AbortController | undefined): void {
    this.#running = controller
    this.#events.isTurn = controller !== undefined
  }

  #unsavedPart(audit: EngineOptions['audit']): Unsaved | undefined {
    const error = this.#history.unsaved
    if (error !== undefined) return { part: 'conversation', error }
    return audit?.unsaved && { part: 'audit_log', error: audit.unsaved }
  }

  /** Validates a message and strips Unicode tag characters before it reaches a model. Throws `invalid` if it breaks the rules. */
  #admit(message: UserMessage): UserMessage {
    validateMessage(message, this.#agent.clock.now())
    return messageWithoutTags(message)
  }

  #begin(message: UserMessage | undefined, signal: AbortSignal): TurnEvents {
    const { trail } = this.#agent
    const turn = runTurn(this.#agent, message, signal)
    return new TurnEvents(trail === undefined ? turn : audited(turn, trail))
  }

  #finished(turn: Turn, signal: AbortSignal): Turn {
    this.#titling.after(turn)
    const late = signal.aborted ? undefined : this.#mailbox.takeLate()
    return { ...turn, ...omitUndefined({ unsaved: this.#saving.unsaved, late }) }
  }

  #takeReason(): string | undefined {
    const { reason } = this.#choice
    if (this.#explained === this.#choice) return undefined
    this.#explained = this.#choice
    return reason
  }

  #enter(to: AgentState): AgentFact {
    const from = this.#state
    validateTransition(from, to)
    this.#state = to
    return { type: 'state', from, to }
  }

  /** Walks the remaining states after an abort or error, without events. */
  #walkToIdle(): void {
    while (this.#state !== 'idle') this.#enter(nextState(this.#state))
  }
}
