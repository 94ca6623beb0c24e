import type { Settings } from '../../config/settings.ts'
import { isPipeError } from '../../error.ts'
import { readText } from '../../http/body.ts'
import { endpoint } from '../../http/dialect/endpoint.ts'
import { list, object, text } from '../../http/dialect/json-fields.ts'
import { parseJson } from '../../json-value.ts'
import type { Dialect, Server } from '../../server.ts'
import type { Transport } from '../../transport.ts'
import type { Host } from '../host.ts'
import { findServer, keyHolder, providerNames } from './server.ts'

/** How long they have to answer, asked all at once. */
const patienceMs = 150

export interface LocalSearch {
  readonly settings: Settings
  readonly host: Host
  readonly transport: Transport
  readonly signal: AbortSignal
}

/** A server that answered, and its models in its order. */
export interface LocalModels {
  readonly server: Server
  readonly models: readonly string[]
}

/** The models of all servers that need no key, those of the settings first, as far as they answer within 150 ms. Throws `config`. */
export async function findLocalModels(search: LocalSearch): Promise<readonly LocalModels[]> {
  const { settings, host, transport, signal } = search
  const servers = providerNames(settings)
    .filter((name) => keyHolder(name, settings).apiKeyEnv === undefined)
    .map((name) => findServer(name, settings, host.env))
  const stop = new AbortController()
  const onAbort = () => stop.abort()
  signal.addEventListener('abort', onAbort, { once: true })
  const stopWaiting = host.clock.after(patienceMs, onAbort)
  try {
    const answers = await Promise.all(
      servers.map(async (server) => {
        const models = await listModels(server, transport, stop.signal)
        return models === undefined ? [] : [{ server, models }]
      }),
    )
    return answers.flat()
  } finally {
    signal.removeEventListener('abort', onAbort)
    stopWaiting()
    stop.abort()
  }
}

/** The first model that answers in words of the first local server that has one, as `provider/model`. */
export async function findLocalModel(search: LocalSearch): Promise<string | undefined> {
  for (const { server, models } of await findLocalModels(search)) {
    const model = models.find((id) => !/embed/i.test(id))
    if (model !== undefined) return `${server.name}/${model}`
  }
  return undefined
}

interface Listing {
  readonly path: string
  /** The field of the answer that holds the models, and the field of a model that names it. */
  readonly models: string
  readonly id: string
}

const openai: Listing = { path: '/models', models: 'data', id: 'id' }
const listings: Readonly<Record<Dialect, Listing>> = {
  'openai-chat': openai,
  'openai-responses': openai,
  anthropic: { ...openai, path: '/v1/models' },
  gemini: { path: '/v1beta/models', models: 'models', id: 'name' },
  ollama: { path: '/api/tags', models: 'models', id: 'name' },
}

/** `undefined` where nobody answers, or not with a list. */
async function listModels(
  { baseUrl, dialect, headers = {} }: Server,
  transport: Transport,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const { path, models, id } = listings[dialect]
  try {
    const response = await transport.send(
      { method: 'GET', url: endpoint(baseUrl, path), headers },
      { signal },
    )
    const answer = object(parseJson(await readText(response.body, 1_000_000)))?.[models]
    if (!Array.isArray(answer)) return undefined
    return list(answer).flatMap((model) => text(object(model)?.[id]) || [])
  } catch (error) {
    if (isPipeError(error)) return undefined
    throw error
  }
}
