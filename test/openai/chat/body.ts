import { expect } from 'vitest'
import type { Quirks } from '../../../src/machine/model-server.ts'
import { omitUndefined } from '../../../src/omit-undefined.ts'
import { type ChatBody, chatBody } from '../../../src/openai/chat/request.ts'
import type { Request } from '../../../src/provider.ts'
import { leastRequest } from '../../support/models/asking.ts'
import { type ChatRules, checkChatBody } from '../../support/vendors/chat-rules.ts'

/** Builds the body of a request and checks it by the rules of a real server. */
export function body(request: Partial<Request>, quirks?: Quirks): ChatBody {
  const whole = { ...leastRequest, model: 'm-1', ...request }
  const body = chatBody(whole, 'openai', quirks)
  expect(checkChatBody(JSON.parse(JSON.stringify(body)), rules(quirks))).not.toHaveProperty('violation')
  return body
}

/** Rules of a server with these quirks. */
function rules({ callIdLength, userAfterTool = true, reasoningContent = false }: Quirks = {}): ChatRules {
  return {
    reasoning: reasoningContent ? 'reasoning_content' : 'reasoning_details',
    ...(userAfterTool ? {} : { acknowledged: true }),
    ...omitUndefined({ callIdLength }),
  }
}
