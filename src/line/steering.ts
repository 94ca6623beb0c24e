import type { Conversation } from '../conversation.ts'
import { hasCode } from '../error.ts'
import type { MessageId } from '../id.ts'
import type { UserMessage } from '../message.ts'

/** Messages sent during a turn. */
export class Steering {
  readonly #conversation: Pick<Conversation, 'send' | 'takeBack'>
  readonly #sent: { readonly id: MessageId; readonly text: string }[] = []

  constructor(conversation: Pick<Conversation, 'send' | 'takeBack'>) {
    this.#conversation = conversation
  }

  async send(message: UserMessage, text: string): Promise<void> {
    this.#sent.push({ id: message.id, text })
    await this.#conversation.send(message)
  }

  /** Withdraws undelivered messages. Returns their texts in the order sent. */
  async takeBack(): Promise<readonly string[]> {
    const texts: string[] = []
    for (const { id, text } of this.#sent) if (await this.#isTakenBack(id)) texts.push(text)
    return texts
  }

  async #isTakenBack(id: MessageId): Promise<boolean> {
    try {
      await this.#conversation.takeBack(id)
      return true
    } catch (error) {
      if (hasCode(error, 'not_found')) return false
      throw error
    }
  }
}
