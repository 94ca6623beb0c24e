import { withdraw } from '../agent/withdraw.ts'
import type { Engine } from '../engine.ts'
import type { UserMessage } from '../message.ts'

/** The messages that were sent into a running turn. */
export class Steering {
  readonly #engine: Engine
  readonly #sent: { readonly message: UserMessage; readonly text: string }[] = []

  constructor(engine: Engine) {
    this.#engine = engine
  }

  send(message: UserMessage, text: string): void {
    this.#engine.send({ type: 'steer', message })
    this.#sent.push({ message, text })
  }

  /** Withdraws what was not delivered. Returns its texts, in the order in which they were sent. */
  takeBack(): readonly string[] {
    return this.#sent.flatMap(({ message, text }) => (withdraw(this.#engine, message.id) ? [text] : []))
  }
}
