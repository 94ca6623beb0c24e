import type { Engine } from '../engine.ts'
import { isPipeError } from '../error.ts'
import type { MessageId } from '../id.ts'

/** Withdraws a message that was sent into a running turn. Returns `false` if it was already delivered. */
export function withdraw(engine: Engine, messageId: MessageId): boolean {
  try {
    engine.send({ type: 'take_back', messageId })
    return true
  } catch (error) {
    if (isPipeError(error) && error.code === 'not_found') return false
    throw error
  }
}
