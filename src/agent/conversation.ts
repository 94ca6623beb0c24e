import type { Actor } from '../actor.ts'
import type { Clock } from '../clock.ts'
import type { AgentState, Command, Engine, ModelChoice, Turn } from '../engine.ts'
import { nextState, validateTransition } from '../engine.ts'
import { PipeError, unreachable } from '../error.ts'
import type { AgentEvent, AgentFact } from '../event.ts'
import type { AgentId, NewId } from '../id.ts'
import { type Message, type UserMessage, validateMessage } from '../message.ts'
import { present } from '../present.ts'
import type { SessionLog } from '../session.ts'
import type { ToolExecutor } from '../tool.ts'
import type { Usage } from '../usage.ts'
import { History } from './history.ts'
import { Mailbox } from './mailbox.ts'
import type { Agent } from './round.ts'
import { runTurn } from './turn.ts'

export interface ConversationOptions {
  /** The session's one writer; the conversation closes it. */
  readonly log: SessionLog
  /** What was said before, where a session goes on. */
  readonly messages?: readonly Message[]
  readonly usage?: Usage
  readonly systemPrompt: string
  readonly model: ModelChoice
  readonly executor: ToolExecutor
  readonly actor: Actor
  readonly clock: Clock
  readonly newId: NewId
  /** 0 to 1, for the jitter of retries. */
  readonly random: () => number
  /** Rounds a turn may take. Default: no limit. */
  readonly maxRounds?: number
  readonly maxTokens?: number
  readonly temperature?: number
}

/** One engine, one session record. The engine is made here and belongs to nobody else. */
export interface Conversation {
  readonly engine: Engine
  /** Closes the session's log. End a running turn first. */
  close(): Promise<void>
}

export function createConversation(options: ConversationOptions): Conversation {
  return { engine: new LoopEngine(options), close: () => options.log.close() }
}

class LoopEngine implements Engine {
  readonly id: AgentId
  readonly #agent: Agent
  readonly #mailbox = new Mailbox()
  readonly #history: History
  readonly #maxRounds: number
  #choice: ModelChoice
  #state: AgentState = 'idle'
  #seq = 0
  #running: AbortController | undefined

  constructor(options: ConversationOptions) {
    const { executor, actor, clock, newId, random, systemPrompt, maxTokens, temperature } = options
    this.id = newId.agent()
    this.#choice = options.model
    this.#history = new History({
      log: options.log,
      messages: options.messages ?? [],
      usage: options.usage,
      model: () => `${this.#choice.provider.name}/${this.#choice.model}`,
    })
    this.#maxRounds = options.maxRounds ?? Number.POSITIVE_INFINITY
    this.#agent = {
      history: this.#history,
      mailbox: this.#mailbox,
      executor,
      actor,
      clock,
      newId,
      random,
      systemPrompt,
      options: present({ maxTokens, temperature }),
      choice: () => this.#choice,
      enter: (state) => this.#enter(state),
    }
  }

  get state(): AgentState {
    return this.#state
  }

  get history(): readonly Message[] {
    return this.#history.messages
  }

  get usage(): Usage {
    return this.#history.usage
  }

  async *submit(
    message: UserMessage,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<AgentEvent, Turn, undefined> {
    if (this.#running !== undefined) throw new PipeError('conflict', 'a turn is running already')
    validateMessage(message, this.#agent.clock.now())
    const running = new AbortController()
    const onAbort = () => running.abort(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    this.#running = running
    try {
      return yield* this.#turn(message, running)
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#running = undefined
      this.#mailbox.clear()
      this.#walkToIdle()
    }
  }

  send(command: Command): void {
    switch (command.type) {
      case 'respond':
        this.#mailbox.respond(command.response)
        return
      case 'steer':
        validateMessage(command.message, this.#agent.clock.now())
        this.#mailbox.steer(command.message)
        return
      case 'interrupt':
        this.#running?.abort()
        return
      case 'set_model':
        this.#choice = command.choice
        return
      default:
        unreachable(command)
    }
  }

  /** The turn's events, stamped. Ending early aborts what is in flight before it returns. */
  async *#turn(message: UserMessage, running: AbortController): AsyncGenerator<AgentEvent, Turn, undefined> {
    const turn = runTurn(this.#agent, message, { signal: running.signal, maxRounds: this.#maxRounds })
    let ended = false
    try {
      for (;;) {
        const step = await turn.next()
        if (step.done === true) {
          ended = true
          return step.value
        }
        yield { ...step.value, agentId: this.id, seq: ++this.#seq }
      }
    } finally {
      if (!ended) {
        running.abort()
        await turn.return({ messages: [], usage: this.usage, rounds: 0, stopReason: 'aborted' })
      }
    }
  }

  #enter(to: AgentState): AgentFact {
    const from = this.#state
    validateTransition(from, to)
    this.#state = to
    return { type: 'state', from, to }
  }

  /** An abort or an error walks the rest of the circle unseen. */
  #walkToIdle(): void {
    while (this.#state !== 'idle') this.#enter(nextState(this.#state))
  }
}
