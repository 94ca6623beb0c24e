import { endpoint } from '../../http/dialect/endpoint.ts'
import { postJson } from '../../http/dialect/post-json.ts'
import { createWireProvider, type WireDialect } from '../../http/dialect/wire-provider.ts'
import type { ServerAccess } from '../../machine/model-server.ts'
import type { Provider, Request } from '../../provider.ts'
import { object, text } from '../../wire/json-fields.ts'
import { ResponsesReader } from './reply.ts'
import { type ResponsesBody, responsesBody } from './request.ts'

/** Creates a provider for servers of OpenAI's Responses. Servers differ in data (`ServerAccess`), not in code. */
export function createResponsesProvider(access: ServerAccess): Provider {
  return createWireProvider(access, responses)
}

const responses: WireDialect = {
  open: (request, access) => {
    const body = responsesBody(request, access.name, access.quirks)
    const author = { provider: access.name, model: request.model }
    return {
      asked: postJson(access, endpoint(access.baseUrl, '/responses'), body),
      reader: new ResponsesReader(author, access.newId, (tokens) => isAtLimit(tokens, body, request)),
    }
  },
  readWhole: (answer) => {
    const response = object(answer)
    if (response?.['object'] !== 'response') return undefined
    return [{ type: `response.${text(response['status']) || 'completed'}`, response }]
  },
}

/** Counts the model's own limit only on an exact match, as the known value may be wrong. */
function isAtLimit(tokens: number, { max_output_tokens: sent }: ResponsesBody, { info }: Request): boolean {
  return sent === undefined ? tokens === info?.maxOutput : tokens >= sent
}
