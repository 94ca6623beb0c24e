import { createWireProvider, type Dialect } from '../http/wire-provider.ts'
import type { Provider } from '../provider.ts'
import type { ServerAccess } from '../server.ts'
import { MessagesReader } from './reply.ts'
import { messagesBody } from './request.ts'

/** A provider for everyone who speaks Anthropic's Messages. */
export function createAnthropicProvider(access: ServerAccess): Provider {
  return createWireProvider(access, messages)
}

const messages: Dialect = {
  compose: async (request, access) => {
    // Loads the SDK.
    const { composeRequest } = await import('./client.ts')
    return composeRequest(access, messagesBody(request, access.name))
  },
  createReader: (_, { newId }) => new MessagesReader(newId),
}
