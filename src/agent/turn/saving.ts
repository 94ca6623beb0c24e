import type { Unsaved } from '../../engine.ts'
import type { AgentFact } from '../../event.ts'

/** Reports once what a full disk keeps in memory, and once that all is saved again. */
export class SavingWatch {
  readonly #look: () => Unsaved | undefined
  #told: Unsaved['part'] | undefined

  constructor(look: () => Unsaved | undefined) {
    this.#look = look
  }

  get unsaved(): Unsaved | undefined {
    return this.#look()
  }

  /** Returns an event if saving has stopped or resumed since the last call, or if more of it has stopped. */
  news(): Extract<AgentFact, { type: 'unsaved' | 'saved' }> | undefined {
    const { unsaved } = this
    if (unsaved?.part === this.#told) return undefined
    this.#told = unsaved?.part
    return unsaved === undefined
      ? { type: 'saved' }
      : { type: 'unsaved', part: unsaved.part, reason: unsaved.error.message }
  }
}
