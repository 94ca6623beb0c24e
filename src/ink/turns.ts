import type { Clock } from '../clock.ts'
import { isPipeError } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import type { InteractionResponse } from '../interaction.ts'
import type { UserMessage } from '../message.ts'
import { CleanEvents, cleanly } from './clean.ts'
import type { Store } from './store.ts'
import { type Abilities, modelStatus, type Talk } from './talk.ts'
import { tickUntil } from './tick.ts'

export interface TurnsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly abilities: Abilities
  readonly talk: Talk
  /** Told of what is a fault of the program. */
  readonly fail: (error: unknown) => void
}

/** The turns of one conversation, one at a time: pulls each, folds it into the store, never waits for what is drawn. */
export class Turns {
  readonly talk: Talk
  readonly #options: TurnsOptions
  #steering: UserMessage[] = []
  #stop = new AbortController()
  /** Resolves when the engine has let go of the last turn, which may be after the person was told that it is over. */
  #ended: Promise<void> = Promise.resolve()
  #count = 0

  constructor(options: TurnsOptions) {
    this.#options = options
    this.talk = options.talk
  }

  /** The session to go on with, where something was said in it. */
  get resumable(): string | undefined {
    return this.#count > 0 || this.talk.engine.history.length > 0 ? this.talk.sessionId : undefined
  }

  /** Begins a turn, or steers the one that runs. `text` is what the person wrote. */
  say(message: UserMessage, text: string): void {
    const { store, clock } = this.#options
    if (store.screen.busySince !== undefined) {
      this.#steering.push(message)
      store.dispatch({ type: 'queued', message: { id: message.id, text } })
      return
    }
    this.#count++
    this.#stop = new AbortController()
    store.dispatch({ type: 'begun', at: clock.monotonic() })
    this.#ended = this.#run(message, this.#stop, this.#ended)
    tickUntil(this.#stop.signal, this.#options).catch(this.#options.fail)
  }

  /** The turn is over for the person at once; the engine ends it behind. */
  interrupt(): void {
    this.#stop.abort()
    this.#steering = []
    this.#options.store.dispatch({ type: 'interrupted' })
  }

  /** Throws `conflict` or `not_found` where the question is none any more. */
  respond(response: InteractionResponse): void {
    this.talk.engine.send({ type: 'respond', response })
    this.#options.store.dispatch({ type: 'answered' })
  }

  /** Stops what runs and waits until the engine has let go of it. */
  async close(): Promise<void> {
    if (this.#options.store.screen.busySince !== undefined) this.interrupt()
    await this.#ended
  }

  async #run(message: UserMessage, stop: AbortController, before: Promise<void>): Promise<void> {
    const { store, abilities, fail } = this.#options
    const { engine } = this.talk
    await before
    try {
      await this.#pull(message, stop.signal)
    } catch (error) {
      if (!isPipeError(error)) return fail(error)
      store.dispatch({ type: 'settled' })
      store.dispatch({ type: 'noted', level: 'error', text: abilities.clean(error.message) })
    } finally {
      stop.abort()
      const { usage, costUsd } = engine
      const status = { usage, costUsd, branch: abilities.branch() }
      store.dispatch({ type: 'status', status: cleanly(status, abilities.clean) })
    }
  }

  /** Once it was stopped, the turn is pulled to its end unseen. */
  async #pull(message: UserMessage, signal: AbortSignal): Promise<void> {
    const turn = this.talk.engine.submit(message, { signal })
    const { abilities } = this.#options
    const cleaning = new CleanEvents(abilities)
    for (;;) {
      const step = await turn.next()
      if (signal.aborted && step.done === true) return
      if (step.done === true) {
        const complaint = abilities.complaint(step.value)
        if (complaint !== undefined) throw complaint
        return
      }
      if (!signal.aborted) this.#see(step.value, cleaning)
    }
  }

  /** Steering is handed over where a round has ended, so that until then it can be taken back. */
  #see(event: AgentEvent, cleaning: CleanEvents): void {
    const { store, clock } = this.#options
    const at = clock.monotonic()
    for (const cleaned of cleaning.take(event)) {
      this.#followModel(cleaned)
      store.dispatch({ type: 'agent', event: cleaned, at })
    }
    if (event.type === 'turn_end') this.#steering = []
    if (event.type !== 'round_end' || event.stopReason === 'error' || event.stopReason === 'aborted') return
    for (const message of this.#steering.splice(0)) this.talk.engine.send({ type: 'steer', message })
  }

  /** Shows who answers now, and how much fits into its context. */
  #followModel(event: AgentEvent): void {
    const { store, abilities } = this.#options
    const model = answering(event)
    if (model === undefined || model === store.screen.status.model) return
    store.dispatch({ type: 'status', status: modelStatus(model, abilities) })
  }
}

/** The `provider/model` that answers from this event on. */
function answering(event: AgentEvent): string | undefined {
  if (event.type === 'fallback') return event.to
  return event.type === 'round_start' ? `${event.provider}/${event.model}` : undefined
}
