import type { PipeError } from '../../error.ts'
import type { MessageId } from '../../id.ts'

interface UnsentMessage {
  readonly error: PipeError
  /** The messages that waited before it. */
  readonly after: readonly MessageId[]
}

/** Messages that began no turn, which are reported behind those sent before them. */
export class UnsentMessages {
  #all: readonly UnsentMessage[] = []

  add(unsent: UnsentMessage): void {
    this.#all = [...this.#all, unsent]
  }

  /** Takes the error of the first one, unless a message before it still waits. */
  take(isWaiting: (id: MessageId) => boolean): PipeError | undefined {
    const [first, ...others] = this.#all
    if (first === undefined || first.after.some(isWaiting)) return undefined
    this.#all = others
    return first.error
  }
}
