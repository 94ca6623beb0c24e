import { localUser } from '../actor.ts'
import { followElves } from '../agent/follow-elves.ts'
import type { Clock } from '../clock.ts'
import type { ElvesAtWork } from '../elf.ts'
import type { AgentEvent } from '../event.ts'
import type { Interaction, InteractionResponse } from '../interaction.ts'
import { textContent, type UserMessage } from '../message.ts'
import { printable } from '../terminal/printable.ts'
import { cleanly, cleanQuestion } from './clean.ts'
import { asPasted } from './prompt/prompt.ts'
import type { Waiting } from './state.ts'
import type { Store } from './store.ts'
import { tickUntil } from './tick.ts'

export interface BackgroundElvesOptions {
  readonly store: Store
  readonly clock: Clock
  /** Sends a message to the model. */
  readonly say: (message: UserMessage, waiting: Waiting) => void
  /** Runs work in the background and shows its `PipeError`. */
  readonly attempt: (act: () => Promise<void>) => void
  /** Fires when the screen closes. */
  readonly signal: AbortSignal
}

/** Shows the work of elves that go on after their call, asks their questions, and passes on their results. */
export class BackgroundElves {
  readonly #options: BackgroundElvesOptions
  #elves: ElvesAtWork | undefined
  #left = new AbortController()
  #stopTicking: (() => void) | undefined

  constructor(options: BackgroundElvesOptions) {
    this.#options = options
  }

  /** Follows the elves of the conversation that is open now. */
  follow(elves: ElvesAtWork | undefined): void {
    this.#left.abort()
    this.#left = new AbortController()
    this.#stopTicking = undefined
    this.#elves = elves
    const signal = AbortSignal.any([this.#left.signal, this.#options.signal])
    if (elves !== undefined) this.#options.attempt(() => this.#take(elves, signal))
  }

  get isFollowing(): boolean {
    return this.#elves !== undefined
  }

  /** Answers the shown question of an elf. Throws `not_found`, `conflict` and `invalid`. */
  answer(response: InteractionResponse): void {
    this.#elves?.respond(response)
    this.#options.store.dispatch({ type: 'answered' })
  }

  /** Leaves the shown question of an elf without an answer, which denies what it asks for. */
  decline({ id }: Interaction): void {
    this.answer({ interactionId: id, answeredBy: localUser, cancelled: true })
  }

  async #take(elves: ElvesAtWork, signal: AbortSignal): Promise<void> {
    await followElves(elves, {
      signal,
      onEvent: (event) => this.#see(event, signal),
      onQuestion: (question) => this.#ask(question),
      onReport: (message) => this.#report(message),
    })
  }

  #see(event: AgentEvent, signal: AbortSignal): void {
    const { store, clock } = this.#options
    const at = clock.monotonic()
    const isOfParent = event.type === 'elf_start' || event.type === 'elf_end'
    if (isOfParent) store.dispatch({ type: 'agent', event: cleanly(event, printable), at })
    else store.dispatch({ type: 'elf', event, at })
    this.#tick(signal)
  }

  #ask(question: Interaction): void {
    const interaction = cleanQuestion(question)
    this.#options.store.dispatch({ type: 'asked', interaction, asker: { type: 'elf' } })
  }

  /** Sends a result to the model: with the next request of the running turn, else in a turn of its own. */
  #report(message: UserMessage): void {
    const text = textContent(message)
    const [shown = ''] = printable(text).split('\n', 1)
    this.#options.say(message, { text: shown, written: asPasted(text) })
  }

  /** Redraws elapsed times while an elf works in the background. A turn does so itself. */
  #tick(signal: AbortSignal): void {
    const { store, clock, attempt } = this.#options
    const isWorking = store.screen.elves.some(
      ({ state, start }) => state === 'running' && start.isBackground === true,
    )
    if (!isWorking) {
      this.#stopTicking?.()
      this.#stopTicking = undefined
    } else if (this.#stopTicking === undefined) {
      const over = new AbortController()
      this.#stopTicking = () => over.abort()
      attempt(() => tickUntil(AbortSignal.any([over.signal, signal]), { store, clock }))
    }
  }
}
