import { driveTurn } from '../agent/drive-turn.ts'
import { withdraw } from '../agent/withdraw.ts'
import type { Clock } from '../clock.ts'
import type { Abilities, ConversationView } from '../conversation-view.ts'
import { isPipeError, type PipeError } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import type { InteractionResponse } from '../interaction.ts'
import { Leaving } from '../leaving.ts'
import type { UserMessage } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { printable } from '../terminal/printable.ts'
import { CleanEvents, cleanly } from './clean.ts'
import type { Waiting } from './state.ts'
import { modelStatus } from './status.ts'
import type { Store } from './store.ts'
import { tickUntil } from './tick.ts'

export interface TurnsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly abilities: Abilities
  readonly view: ConversationView
  /** Resolves when all pending finished rows are drawn. */
  readonly drained: (() => Promise<void>) | undefined
  /** Receives internal errors. */
  readonly fail: (error: unknown) => void
}

/** How many characters the text may be ahead of the screen. Each line end counts for `lineWeight` more. */
const longestLead = 32_000
const lineWeight = 80

const compactionNote = 'the history is summarised before the next request'

/** Runs the turns of one conversation one at a time, and dispatches their events to the store. */
export class Turns {
  readonly view: ConversationView
  readonly #options: TurnsOptions
  #stop = new AbortController()
  /** Resolves when the engine has released the last turn, which may be after the screen shows it as over. */
  #ended: Promise<void> = Promise.resolve()
  #count = 0
  /** Weighted characters since the screen last caught up. */
  #lead = 0

  constructor(options: TurnsOptions) {
    this.#options = options
    this.view = options.view
  }

  /** Id of the session to resume, if it has any messages. */
  get resumable(): string | undefined {
    return this.#count > 0 || this.view.engine.history.length > 0 ? this.view.sessionId : undefined
  }

  /** Begins a turn, or steers the running one. */
  say(message: UserMessage, waiting: Waiting): void {
    const { store } = this.#options
    if (store.screen.busySince !== undefined) {
      this.view.engine.send({ type: 'steer', message })
      store.dispatch({ type: 'queued', message: { id: message.id, ...waiting } })
      return
    }
    this.#begin(message)
  }

  /** Asks the questions that an earlier run left open. */
  resume(): void {
    if (this.view.engine.canResume) this.#begin(undefined)
  }

  /** Summarises the history now, or with the next request while a turn runs or the user has yet to trust the folder. */
  compact(keep: string | undefined): void {
    const { store, abilities } = this.#options
    this.view.engine.send({ type: 'compact', ...omitUndefined({ keep }) })
    const waits = store.screen.busySince !== undefined || abilities.trustQuestion?.() !== undefined
    if (!waits) this.#begin(undefined)
    else store.dispatch({ type: 'noted', level: 'info', text: compactionNote })
  }

  /** Ends the turn on the screen at once, while the engine winds down. Undelivered messages go back to the prompt. */
  interrupt(): void {
    const { store } = this.#options
    this.#stop.abort()
    for (const { id } of store.screen.queued) {
      if (!withdraw(this.view.engine, id)) store.dispatch({ type: 'delivered', messageId: id })
    }
    store.dispatch({ type: 'interrupted' })
  }

  /** Moves the newest queued message back into the prompt, unless it was delivered meanwhile. */
  takeBack(): void {
    const { store } = this.#options
    const newest = store.screen.queued.at(-1)
    if (newest !== undefined && withdraw(this.view.engine, newest.id)) store.dispatch({ type: 'taken_back' })
  }

  /** Answers a question. Throws `conflict` or `not_found` if it is no longer open. */
  respond(response: InteractionResponse): void {
    this.view.engine.send({ type: 'respond', response })
    this.#options.store.dispatch({ type: 'answered' })
  }

  /** Stops the running turn and waits until the engine has released it. */
  async close(): Promise<void> {
    // Open questions wait for the next run.
    this.#stop.abort(new Leaving('the screen is closed'))
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

  /** Runs a turn, and further turns for messages that came too late for it. */
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
    for (const { id } of store.screen.queued) withdraw(this.view.engine, id)
    store.dispatch({ type: 'settled' })
  }

  #complain(error: PipeError): void {
    const { store } = this.#options
    store.dispatch({ type: 'noted', level: 'error', text: printable(error.message) })
  }

  #showModel(): void {
    const { store, abilities } = this.#options
    const model = abilities.model?.()
    if (model !== undefined) store.dispatch({ type: 'status', status: modelStatus(model, abilities) })
  }

  #showCost(): void {
    const { store, abilities } = this.#options
    const { usage, costUsd } = this.view.engine
    const status = { usage, costUsd, branch: abilities.branch() }
    store.dispatch({ type: 'status', status: cleanly(status, printable) })
  }

  /** Runs one turn and returns the message that came too late for it. Hides the events of a stopped turn. */
  async #pull(message: UserMessage | undefined, signal: AbortSignal): Promise<UserMessage | undefined> {
    const cleaning = new CleanEvents()
    const turn = await driveTurn(this.view.engine, message, {
      signal,
      onEvent: (event) => {
        if (!signal.aborted) this.#see(event, cleaning)
        return this.#keepPace(event, signal)
      },
      onElfEvent: (event) => {
        const { store, clock } = this.#options
        if (!signal.aborted) store.dispatch({ type: 'elf', event, at: clock.monotonic() })
      },
    })
    const complaint = signal.aborted ? undefined : this.#options.abilities.complaint(turn)
    if (complaint !== undefined) this.#complain(complaint)
    if (turn.late !== undefined) this.#showCost()
    return turn.late
  }

  /** Waits for the screen if the text is far ahead of it. Otherwise Esc would take effect only after all pending rows. */
  #keepPace(event: AgentEvent, signal: AbortSignal): Promise<void> | undefined {
    const { drained } = this.#options
    if (drained === undefined || event.type !== 'text_delta') return undefined
    this.#lead += event.delta.length + lineWeight * (event.delta.split('\n').length - 1)
    if (this.#lead < longestLead) return undefined
    this.#lead = 0
    return signal.aborted ? undefined : untilAborted(drained(), signal)
  }

  #see(event: AgentEvent, cleaning: CleanEvents): void {
    const { store, clock } = this.#options
    const at = clock.monotonic()
    for (const cleaned of cleaning.take(event)) {
      this.#followModel(cleaned)
      store.dispatch({ type: 'agent', event: cleaned, at })
    }
  }

  /** Shows the model that answers now and its context size, which may only become known now. */
  #followModel(event: AgentEvent): void {
    const { store, abilities } = this.#options
    const { status } = store.screen
    const model = answering(event) ?? (event.type === 'round_end' ? status.model : undefined)
    if (model === undefined) return
    const now = modelStatus(model, abilities)
    if (model === status.model && now.contextWindow === status.contextWindow) return
    store.dispatch({ type: 'status', status: now })
  }
}

/** Returns the `provider/model` that answers from this event on. */
function answering(event: AgentEvent): string | undefined {
  if (event.type === 'fallback') return event.to
  return event.type === 'round_start' ? `${event.provider}/${event.model}` : undefined
}

/** Resolves with the promise, or as soon as the signal fires. */
async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  const stop = new AbortController()
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true, signal: stop.signal })
  })
  await Promise.race([promise, aborted])
  stop.abort()
}
