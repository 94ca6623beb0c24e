import type { Turn } from '../engine.ts'
import type { PipeError } from '../error.ts'
import { noUsage } from '../usage.ts'
import type { TurnEvent } from './agent.ts'

/** Reports once that a full disk keeps a conversation in memory, and once that it is saved again. */
export class SavingWatch {
  readonly #unsaved: () => PipeError | undefined
  #isTold = false

  /** `unsaved` returns the reason why the last messages or audit entries are not on disk. */
  constructor(unsaved: () => PipeError | undefined) {
    this.#unsaved = unsaved
  }

  /** Passes on a turn's events and adds one whenever saving stops or resumes. */
  async *watch(turn: AsyncGenerator<TurnEvent, Turn, undefined>): AsyncGenerator<TurnEvent, Turn, undefined> {
    let isOver = false
    try {
      for (;;) {
        const step = await turn.next()
        if (step.done !== true) yield step.value
        const unsaved = this.#unsaved()
        yield* this.#tell(unsaved)
        if (step.done !== true) continue
        isOver = true
        return unsaved === undefined ? step.value : { ...step.value, unsaved }
      }
    } finally {
      if (!isOver) await turn.return({ messages: [], usage: noUsage, rounds: 0, stopReason: 'aborted' })
    }
  }

  *#tell(unsaved: PipeError | undefined): Generator<TurnEvent, void, undefined> {
    const isUnsaved = unsaved !== undefined
    if (isUnsaved === this.#isTold) return
    this.#isTold = isUnsaved
    yield isUnsaved ? { type: 'unsaved', reason: unsaved.message } : { type: 'saved' }
  }
}
