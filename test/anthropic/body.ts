import { expect } from 'vitest'
import { composeMessages, type MessagesBody } from '../../src/anthropic/request.ts'
import { WireHistory } from '../../src/anthropic/wire-history.ts'
import type { AssistantMessage, ContentBlock } from '../../src/message.ts'
import type { Request } from '../../src/provider.ts'
import { assistant } from '../support/messages/messages.ts'
import { leastRequest } from '../support/models/asking.ts'
import { checkMessagesBody } from '../support/vendors/anthropic-rules.ts'

export const model = 'claude-sonnet-4-5'
export const cache_control = { type: 'ephemeral' }

/** Builds the body of a request and checks it by the rules of the real server. */
export function body(request: Partial<Request>): MessagesBody {
  const whole = { ...leastRequest, model, ...request }
  const { body } = composeMessages(whole, new WireHistory('anthropic'))
  expect(checkMessagesBody(JSON.parse(JSON.stringify(body)))).not.toHaveProperty('violation')
  return body
}

/** A message of our own provider. */
export function spoken(...content: readonly ContentBlock[]): AssistantMessage {
  return { ...assistant(...content), provider: 'anthropic', model }
}
