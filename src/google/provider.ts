import { endpoint } from '../http/dialect/endpoint.ts'
import { postJson } from '../http/dialect/post-json.ts'
import { createWireProvider, type WireDialect } from '../http/dialect/wire-provider.ts'
import { isJsonObject } from '../json-value.ts'
import type { ServerAccess } from '../machine/model-server.ts'
import type { Provider } from '../provider.ts'
import { objects } from '../wire/json-fields.ts'
import { modelId } from './models.ts'
import { GeminiReader } from './reply.ts'
import { geminiBody } from './request.ts'

/** Creates a provider for servers of Gemini's `streamGenerateContent`. */
export function createGeminiProvider(access: ServerAccess): Provider {
  return createWireProvider(access, gemini)
}

const gemini: WireDialect = {
  open: (request, access) => ({
    asked: postJson(access, address(access.baseUrl, request.model), geminiBody(request, access.name), {
      keyHeader: 'x-goog-api-key',
    }),
    reader: new GeminiReader({ provider: access.name, model: modelId(request.model) }, access.newId),
  }),
  readWhole: (answer) => {
    const chunks = isJsonObject(answer) ? [answer] : objects(answer)
    return chunks.some((chunk) => 'candidates' in chunk || 'promptFeedback' in chunk) ? chunks : undefined
  },
}

/** Builds the URL of a request. Adds `/v1beta` unless the base URL has a version, which a project's path may follow. */
function address(baseUrl: string, model: string): string {
  const version = /\/v\d\w*(\/|\?|$)/.test(baseUrl) ? '' : '/v1beta'
  const folder = model.startsWith('tunedModels/') ? '' : 'models/'
  const name = modelId(model).split('/').map(encodeURIComponent).join('/')
  const url = endpoint(baseUrl, `${version}/${folder}${name}:streamGenerateContent`)
  return `${url}${url.includes('?') ? '&' : '?'}alt=sse`
}
