import { driveTurn } from '../agent/drive-turn.ts'
import { withdraw } from '../agent/withdraw.ts'
import type { Engine } from '../engine.ts'
import { isPipeError, type PipeError } from '../error.ts'
import type { ConversationView } from '../frontend/conversation-view.ts'
import type { MessageId } from '../id.ts'
import type { InteractionResponse } from '../interaction.ts'
import { ShutdownReason } from '../machine/shutdown-reason.ts'
import type { UserMessage } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { printable } from '../terminal/printable.ts'
import { CleanEvents, cleanly } from './clean.ts'
import { ShownEvents } from './shown-events.ts'
import type { ShownTurns, ShownTurnsOptions } from './shown-turns.ts'
import type { Waiting } from './state.ts'
import { modelStatus } from './status.ts'
import { tickUntil } from './tick.ts'

export interface TurnsOptions extends ShownTurnsOptions {
  readonly view: ConversationView
}

const compactionNote = 'The history is summarised before the next request.'

/** Runs the turns of one conversation one at a time, and dispatches their events to the store. */
export class Turns implements ShownTurns {
  readonly #options: TurnsOptions
  readonly #engine: Engine
  readonly #events: ShownEvents
  #stop = new AbortController()
  /** Resolves when the engine has released the last turn, which may be after the screen shows it as over. */
  #ended: Promise<void> = Promise.resolve()
  #count = 0
  /** Messages for turns of their own after the running one, in order. */
  readonly #later = new Map<MessageId, UserMessage>()

  constructor(options: TurnsOptions) {
    this.#options = options
    this.#engine = options.view.engine
    this.#events = new ShownEvents(options)
  }

  get sessionId(): string | undefined {
    return this.#options.view.sessionId
  }

  get resumable(): string | undefined {
    return this.#count > 0 || this.#engine.history.length > 0 ? this.sessionId : undefined
  }

  say(message: UserMessage, waiting: Waiting): void {
    const { store } = this.#options
    if (store.screen.busySince !== undefined) {
      this.#engine.send({ type: 'steer', message })
      store.dispatch({ type: 'queued', message: { id: message.id, ...waiting, kind: 'next' } })
      return
    }
    this.#begin(message)
  }

  sayAfter(message: UserMessage, waiting: Waiting): void {
    const { store } = this.#options
    if (store.screen.busySince === undefined) {
      this.#begin(message)
      return
    }
    this.#later.set(message.id, message)
    store.dispatch({ type: 'queued', message: { id: message.id, ...waiting, kind: 'after' } })
  }

  resume(): void {
    if (this.#engine.canResume) this.#begin(undefined)
  }

  /** Also waits for the next request while the user has yet to trust the folder. */
  compact(keep: string | undefined): void {
    const { store, api } = this.#options
    this.#engine.send({ type: 'compact', ...omitUndefined({ keep }) })
    const waits = store.screen.busySince !== undefined || api.trustQuestion?.() !== undefined
    if (!waits) this.#begin(undefined)
    else store.dispatch({ type: 'noted', level: 'info', text: compactionNote })
  }

  /** Ends the turn on the screen at once, while the engine winds down. Undelivered messages go back to the prompt. */
  interrupt(): void {
    const { store } = this.#options
    this.#stop.abort()
    for (const { id } of store.screen.queued) {
      if (!this.#withdraw(id)) store.dispatch({ type: 'delivered', messageId: id })
    }
    store.dispatch({ type: 'interrupted' })
  }

  takeBack(): void {
    const { store } = this.#options
    const newest = store.screen.queued.at(-1)
    if (newest !== undefined && this.#withdraw(newest.id)) store.dispatch({ type: 'taken_back' })
  }

  ended(): Promise<void> {
    return this.#ended
  }

  respond(response: InteractionResponse): void {
    this.#engine.send({ type: 'respond', response })
    this.#options.store.dispatch({ type: 'answered' })
  }

  /** Stops the running turn and waits until the engine has released it. */
  async close(): Promise<void> {
    // Open questions wait for the next run.
    this.#stop.abort(new ShutdownReason('the screen is closed'))
    if (this.#options.store.screen.busySince !== undefined) this.interrupt()
    await this.#ended
  }

  #begin(message: UserMessage | undefined): void {
    const { store, clock } = this.#options
    if (message !== undefined) this.#count++
    this.#stop = new AbortController()
    store.dispatch({ type: 'begun', at: clock.monotonic() })
    this.#showModel()
    this.#ended = this.#run(message, this.#stop, this.#ended)
    tickUntil(this.#stop.signal, this.#options).catch(this.#options.fail)
  }

  /** Removes a message that waits. Returns `false` if it was already delivered. */
  #withdraw(id: MessageId): boolean {
    return this.#later.delete(id) || withdraw(this.#engine, id)
  }

  /** Runs a turn, and further turns for messages that came too late for it or wait for its end. */
  async #run(message: UserMessage | undefined, stop: AbortController, before: Promise<void>): Promise<void> {
    await before
    try {
      let next = await this.#pull(message, stop.signal)
      while (next !== undefined) next = await this.#pull(next, stop.signal)
    } catch (error) {
      if (!isPipeError(error)) return this.#options.fail(error)
      this.#complain(error)
    } finally {
      // The queue belongs to a newer turn if the user has begun one.
      if (this.#stop === stop && !stop.signal.aborted) this.#giveUp()
      stop.abort()
      this.#showCost()
    }
  }

  /** Withdraws queued messages, which would never be delivered now that nothing runs. */
  #giveUp(): void {
    const { store } = this.#options
    if (store.screen.busySince === undefined) return
    for (const { id } of store.screen.queued) this.#withdraw(id)
    store.dispatch({ type: 'settled' })
  }

  #complain(error: PipeError): void {
    const { store } = this.#options
    store.dispatch({ type: 'noted', level: 'error', text: printable(error.message) })
  }

  #showModel(): void {
    const { store, api } = this.#options
    const model = api.model?.()
    if (model !== undefined) store.dispatch({ type: 'status', status: modelStatus(model, api) })
  }

  #showCost(): void {
    const { store, api } = this.#options
    const { usage, costUsd } = this.#engine
    const status = { usage, costUsd, branch: api.branch() }
    store.dispatch({ type: 'status', status: cleanly(status, printable) })
  }

  /** Runs one turn and returns the message for the next one, if any. Hides the events of a stopped turn. */
  async #pull(message: UserMessage | undefined, signal: AbortSignal): Promise<UserMessage | undefined> {
    const cleaning = new CleanEvents()
    const turn = await driveTurn(this.#engine, message, {
      signal,
      onEvent: (event) => {
        if (!signal.aborted) this.#events.see(event, cleaning)
        return this.#events.keepPace(event, signal)
      },
      onElfEvent: (event) => {
        if (!signal.aborted) this.#events.seeElf(event)
      },
    })
    const complaint = signal.aborted ? undefined : this.#options.api.complaint(turn)
    if (complaint !== undefined) this.#complain(complaint)
    const next = turn.late ?? (complaint === undefined && !signal.aborted ? this.#takeLater() : undefined)
    if (next !== undefined) this.#showCost()
    return next
  }

  /** Takes the oldest message that waits for a turn of its own, which is about to begin. */
  #takeLater(): UserMessage | undefined {
    const { store, clock } = this.#options
    const [first] = this.#later.values()
    if (first === undefined) return undefined
    this.#later.delete(first.id)
    this.#count++
    store.dispatch({ type: 'begun', at: clock.monotonic() })
    return first
  }
}
