import type { Clock } from '../../clock.ts'
import { isPipeError } from '../../error.ts'
import type { FrontendApi } from '../../frontend/conversation-view.ts'
import type { Screen } from '../state.ts'
import type { Store } from '../store.ts'
import { giveBack, type PromptText } from './prompt.ts'

export interface KeptDraftOptions {
  readonly store: Store
  readonly clock: Clock
  readonly pastPrompts: FrontendApi['pastPrompts']
}

/** Pause after the last change of the draft before it is kept: keeping it would delay the next key. */
const keepMs = 500
/** Longest time that a change waits while more follow it. */
const mostMs = 3_000

/** Keeps the draft in case the process dies, and brings back the one that another process left. */
export class KeptDraft {
  readonly #options: KeptDraftOptions
  /** The contents of the screen when the draft was kept last, or is about to be. */
  #known: readonly unknown[] = []
  #stopTimer: (() => void) | undefined
  /** Time of the first change that is not kept yet. */
  #changedAt: number | undefined
  #unsubscribe: () => void = () => undefined
  #writing: Promise<void> = Promise.resolve()
  /** Whether a draft of this process is kept. */
  #isKept = false

  constructor(options: KeptDraftOptions) {
    this.#options = options
  }

  /** Brings back a draft and watches the one of this screen. Throws `PipeError`. */
  async open(): Promise<void> {
    const { store, pastPrompts } = this.#options
    this.#unsubscribe = store.subscribe(() => this.#watch())
    const written = await pastPrompts?.takeDraft()
    if (written === undefined) return
    this.#isKept = true
    store.dispatch({ type: 'given_back', written })
  }

  /** Keeps what the screen holds at the end. Resolves when it is written. */
  async close(): Promise<void> {
    this.#unsubscribe()
    this.#stopTimer?.()
    this.#keep()
    await this.#writing
  }

  #watch(): void {
    const { screen } = this.#options.store
    const held = [screen.prompt.text, screen.queued, screen.task?.later]
    if (held.every((one, i) => one === this.#known[i])) return
    this.#known = held
    const { clock } = this.#options
    this.#changedAt ??= clock.monotonic()
    const leftMs = this.#changedAt + mostMs - clock.monotonic()
    this.#stopTimer?.()
    this.#stopTimer = clock.after(Math.max(0, Math.min(keepMs, leftMs)), () => this.#keep())
  }

  #keep(): void {
    this.#stopTimer = undefined
    this.#changedAt = undefined
    const draft = draftOf(this.#options.store.screen)
    if (draft === undefined && !this.#isKept) return
    this.#isKept = draft !== undefined
    this.#writing = this.#writing.then(() => this.#write(draft))
  }

  /** A draft that cannot be kept is no reason to disturb the one who writes it. */
  async #write(draft: PromptText | undefined): Promise<void> {
    try {
      await this.#options.pastPrompts?.keepDraft(draft)
    } catch (error) {
      if (!isPipeError(error)) throw error
    }
  }
}

/** Returns the draft with the messages that wait in this process before it; `undefined` if there is nothing. */
function draftOf({ prompt, queued, task, status }: Screen): PromptText | undefined {
  const waiting = [...(status.server === undefined ? queued : []), ...(task?.later ?? [])]
  const { text, pastes } = giveBack(
    prompt,
    waiting.map(({ written }) => written),
  )
  return text.trim() === '' ? undefined : { text, pastes }
}
