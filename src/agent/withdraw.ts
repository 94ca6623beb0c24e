import type { Engine } from '../engine.ts'
import { hasCode } from '../error.ts'
import type { MessageId } from '../id.ts'

/** Withdraws a message that was sent into a running turn. Returns `false` if it was already delivered. */
export function withdraw(engine: Engine, messageId: MessageId): boolean {
  try {
    engine.send({ type: 'take_back', messageId })
    return true
  } catch (error) {
    if (hasCode(error, 'not_found')) return false
    throw error
  }
}
