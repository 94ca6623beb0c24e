import { createWireProvider, type Dialect } from '../http/dialect/wire-provider.ts'
import type { Provider } from '../provider.ts'
import type { ServerAccess } from '../server.ts'
import { MessagesReader } from './reply.ts'
import { composeMessages } from './request.ts'

/** A provider for everyone who speaks Anthropic's Messages. */
export function createAnthropicProvider(access: ServerAccess): Provider {
  return createWireProvider(access, messages)
}

const messages: Dialect = {
  open: async (request, access) => {
    // Loads the SDK.
    const { composeRequest } = await import('./client.ts')
    const { body, binding } = composeMessages(request, access.name)
    return { asked: await composeRequest(access, body), reader: new MessagesReader(access.newId, binding) }
  },
}
