import type { Turn } from '../../engine.ts'
import type { StreamEvent } from '../../event.ts'
import type { CallStep, TurnStep } from '../agent.ts'
import type { IncomingReply } from '../request/incoming-reply.ts'

/** Pulls the events of a turn. Reads those of a reply from the reply itself, so that a delta passes no generator of the turn. */
export class TurnEvents {
  readonly #turn: AsyncGenerator<TurnStep, Turn, undefined>
  #reply: IncomingReply | undefined
  #end: Turn | undefined

  constructor(turn: AsyncGenerator<TurnStep, Turn, undefined>) {
    this.#turn = turn
  }

  /** The turn once all its events were pulled. */
  get end(): Turn | undefined {
    return this.#end
  }

  /** Returns the next event, or `undefined` at the end. Throws what the turn throws. */
  async next(): Promise<StreamEvent | CallStep | undefined> {
    for (;;) {
      const event = this.#reply && (await this.#reply.next())
      if (event !== undefined) return event
      const step = await this.#turn.next()
      if (step.done === true) {
        this.#end = step.value
        return undefined
      }
      if (step.value.type !== 'reply') return step.value
      this.#reply = step.value
    }
  }

  /** Ends a turn whose events were not all pulled. `left` is then its result. */
  async close(left: Turn): Promise<void> {
    if (this.#end === undefined) await this.#turn.return(left)
  }
}
