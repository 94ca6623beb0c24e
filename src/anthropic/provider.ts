import { createWireProvider, type WireDialect } from '../http/dialect/wire-provider.ts'
import type { JsonObject } from '../json-value.ts'
import type { ServerAccess } from '../machine/model-server.ts'
import type { Provider } from '../provider.ts'
import { object, objects } from '../wire/json-fields.ts'
import type { RequestComposer } from './client.ts'
import { MessagesReader } from './reply.ts'
import { composeMessages } from './request.ts'
import { WireHistory } from './wire-history.ts'

/** Creates a provider for servers of Anthropic's Messages API. */
export function createAnthropicProvider(access: ServerAccess): Provider {
  const history = new WireHistory(access.name)
  let composer: RequestComposer | undefined
  return createWireProvider(access, {
    ...messages,
    open: async (request) => {
      // Loads the SDK.
      composer ??= new (await import('./client.ts')).RequestComposer(access)
      const { body, binding } = composeMessages(request, history)
      return { asked: await composer.compose(body), reader: new MessagesReader(access.newId, binding) }
    },
  })
}

const messages: Pick<WireDialect, 'readWhole'> = {
  readWhole: (answer) => {
    const message = object(answer)
    return message?.['type'] === 'message' ? wholeEvents(message) : undefined
  },
}

/** Converts a whole message to the events of a stream. */
function wholeEvents(message: JsonObject): readonly JsonObject[] {
  const blocks = objects(message['content']).flatMap((content_block, index) => [
    { type: 'content_block_start', index, content_block },
    { type: 'content_block_stop', index },
  ])
  return [{ type: 'message_start', message }, ...blocks, { type: 'message_delta', delta: message }]
}
