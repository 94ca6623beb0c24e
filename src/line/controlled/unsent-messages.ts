import type { PipeError } from '../../error.ts'
import type { ReportCall } from '../../frontend/slash/report-call.ts'
import type { MessageId } from '../../id.ts'

interface UnsentMessage {
  /** Why it began no turn: an error, or pipe answers it itself. */
  readonly reason: PipeError | ReportCall
  /** The messages that waited before it. */
  readonly after: readonly MessageId[]
}

/** Messages that began no turn, which are reported behind those sent before them. */
export class UnsentMessages {
  #all: readonly UnsentMessage[] = []

  add(unsent: UnsentMessage): void {
    this.#all = [...this.#all, unsent]
  }

  /** Takes the reason of the first one, unless a message before it still waits. */
  take(isWaiting: (id: MessageId) => boolean): UnsentMessage['reason'] | undefined {
    const [first, ...others] = this.#all
    if (first === undefined || first.after.some(isWaiting)) return undefined
    this.#all = others
    return first.reason
  }
}
