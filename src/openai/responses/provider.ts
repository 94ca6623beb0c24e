import { endpoint } from '../../http/dialect/endpoint.ts'
import { object, text } from '../../http/dialect/json-fields.ts'
import { postJson } from '../../http/dialect/post-json.ts'
import { createWireProvider, type Dialect } from '../../http/dialect/wire-provider.ts'
import type { Provider } from '../../provider.ts'
import type { ServerAccess } from '../../server.ts'
import { ResponsesReader } from './reply.ts'
import { responsesBody } from './request.ts'

/** A provider for everyone who speaks OpenAI's Responses. Servers differ in data (`ServerAccess`), not in code. */
export function createResponsesProvider(access: ServerAccess): Provider {
  return createWireProvider(access, responses)
}

const responses: Dialect = {
  open: (request, access) => ({
    asked: postJson(
      access,
      endpoint(access.baseUrl, '/responses'),
      responsesBody(request, access.name, access.quirks),
    ),
    reader: new ResponsesReader({ provider: access.name, model: request.model }, access.newId),
  }),
  readWhole: (answer) => {
    const response = object(answer)
    if (response?.['object'] !== 'response') return undefined
    return [{ type: `response.${text(response['status']) || 'completed'}`, response }]
  },
}
