import { endpoint } from '../http/dialect/endpoint.ts'
import { postJson } from '../http/dialect/post-json.ts'
import { ThinkTagHabits } from '../http/dialect/think-tags.ts'
import { createWireProvider } from '../http/dialect/wire-provider.ts'
import { readJsonLines } from '../http/json-lines.ts'
import type { ServerAccess } from '../machine/model-server.ts'
import type { Provider } from '../provider.ts'
import { OllamaReader } from './reply.ts'
import { ollamaBody } from './request.ts'

/** Creates a provider for servers of Ollama's own API. */
export function createOllamaProvider(access: ServerAccess): Provider {
  const habits = new ThinkTagHabits(access.quirks?.thinkTags)
  return createWireProvider(access, {
    open: (request) => ({
      asked: postJson(access, endpoint(access.baseUrl, '/api/chat'), ollamaBody(request, access.name), {
        accept: 'application/x-ndjson',
      }),
      reader: new OllamaReader(access.newId, habits.begin(request.model)),
    }),
    readEvents: readJsonLines,
  })
}
