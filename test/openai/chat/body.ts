import { expect } from 'vitest'
import { type ChatBody, chatBody } from '../../../src/openai/chat/request.ts'
import { present } from '../../../src/present.ts'
import type { Request } from '../../../src/provider.ts'
import type { Quirks } from '../../../src/server.ts'
import { leastRequest } from '../../support/asking.ts'
import { type ChatRules, checkChatBody } from '../../support/chat-rules.ts'

/** The body as it is sent, which the rules of a real server allow. */
export function body(request: Partial<Request>, quirks?: Quirks): ChatBody {
  const whole = { ...leastRequest, model: 'm-1', ...request }
  const body = chatBody(whole, 'openai', quirks)
  expect(checkChatBody(JSON.parse(JSON.stringify(body)), rules(quirks))).not.toHaveProperty('violation')
  return body
}

/** What a server with these quirks is strict about. */
function rules({ callIdLength, userAfterTool = true, reasoningContent = false }: Quirks = {}): ChatRules {
  return {
    reasoning: reasoningContent ? 'reasoning_content' : 'reasoning_details',
    ...(userAfterTool ? {} : { acknowledged: true }),
    ...present({ callIdLength }),
  }
}
