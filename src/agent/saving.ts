import type { PipeError } from '../error.ts'
import type { AgentFact } from '../event.ts'

/** Reports once that a full disk keeps a conversation in memory, and once that it is saved again. */
export class SavingWatch {
  readonly #unsaved: () => PipeError | undefined
  #isTold = false

  /** `unsaved` returns the reason why the last messages or audit entries are not on disk. */
  constructor(unsaved: () => PipeError | undefined) {
    this.#unsaved = unsaved
  }

  get unsaved(): PipeError | undefined {
    return this.#unsaved()
  }

  /** Returns an event if saving has stopped or resumed since the last call. */
  news(): Extract<AgentFact, { type: 'unsaved' | 'saved' }> | undefined {
    const { unsaved } = this
    const isUnsaved = unsaved !== undefined
    if (isUnsaved === this.#isTold) return undefined
    this.#isTold = isUnsaved
    return isUnsaved ? { type: 'unsaved', reason: unsaved.message } : { type: 'saved' }
  }
}
