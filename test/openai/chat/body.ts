import { expect } from 'vitest'
import { type ChatBody, chatBody } from '../../../src/openai/chat/request.ts'
import type { Request } from '../../../src/provider.ts'
import type { Quirks } from '../../../src/server.ts'
import { checkChatBody } from '../../support/chat-rules.ts'
import { text, user } from '../../support/messages.ts'

/** The body as it is sent, which the rules of a real server allow. */
export function body(request: Partial<Request>, quirks?: Quirks): ChatBody {
  const whole = { model: 'm-1', systemPrompt: '', messages: [user(text('hello'))], tools: [], ...request }
  const body = chatBody(whole, 'openai', quirks)
  expect(checkChatBody(JSON.parse(JSON.stringify(body)))).not.toHaveProperty('violation')
  return body
}
