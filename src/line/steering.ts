import { withdraw } from '../agent/withdraw.ts'
import type { Engine } from '../engine.ts'
import type { UserMessage } from '../message.ts'

/** Messages sent during a turn. */
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

  /** Withdraws undelivered messages. Returns their texts in the order sent. */
  takeBack(): readonly string[] {
    return this.#sent.flatMap(({ message, text }) => (withdraw(this.#engine, message.id) ? [text] : []))
  }
}
