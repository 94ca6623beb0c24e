import { endpoint } from '../http/dialect/endpoint.ts'
import { postJson } from '../http/dialect/post-json.ts'
import { createWireProvider, type Dialect } from '../http/dialect/wire-provider.ts'
import { readJsonLines } from '../http/json-lines.ts'
import type { Provider } from '../provider.ts'
import type { ServerAccess } from '../server.ts'
import { OllamaReader } from './reply.ts'
import { ollamaBody } from './request.ts'

/** Creates a provider for servers of Ollama's own API. */
export function createOllamaProvider(access: ServerAccess): Provider {
  return createWireProvider(access, ollama)
}

const ollama: Dialect = {
  open: (request, access) => ({
    asked: postJson(access, endpoint(access.baseUrl, '/api/chat'), ollamaBody(request, access.name), {
      accept: 'application/x-ndjson',
    }),
    reader: new OllamaReader(access.newId),
  }),
  readEvents: readJsonLines,
}
