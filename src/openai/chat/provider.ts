import { endpoint } from '../../http/dialect/endpoint.ts'
import { postJson } from '../../http/dialect/post-json.ts'
import { ThinkTagHabits } from '../../http/dialect/think-tags.ts'
import { createWireProvider, type ModelExchange, type WireDialect } from '../../http/dialect/wire-provider.ts'
import type { ServerAccess } from '../../machine/model-server.ts'
import type { Provider, Request } from '../../provider.ts'
import { list, object } from '../../wire/json-fields.ts'
import { ChatReader } from './reply.ts'
import { chatBody } from './request.ts'

/** Creates a provider for servers of OpenAI's Chat Completions. Servers differ in data (`ServerAccess`), not in code. */
export function createChatProvider(access: ServerAccess): Provider {
  const habits = new ThinkTagHabits(access.quirks?.thinkTags)
  return createWireProvider(access, {
    ...chat,
    takesQuirks: true,
    open: (request) => open(request, access, habits),
  })
}

function open(request: Request, access: ServerAccess, habits: ThinkTagHabits): ModelExchange {
  return {
    asked: postJson(
      access,
      endpoint(access.baseUrl, '/chat/completions'),
      chatBody(request, access.name, access.quirks),
    ),
    reader: new ChatReader(
      { provider: access.name, model: request.model },
      access.newId,
      request.tools.map(({ name }) => name),
      habits.begin(request.model),
    ),
  }
}

const chat: Pick<WireDialect, 'readWhole'> = {
  readWhole: (answer) => {
    const reply = object(answer)
    return list(reply?.['choices']).length > 0 && reply !== undefined ? [reply] : undefined
  },
}
