import type { ModelName } from '../../../config/models/model-name.ts'
import type { Settings } from '../../../config/settings.ts'
import { isPipeError } from '../../../error.ts'
import { endpoint } from '../../../http/dialect/endpoint.ts'
import type { Ask } from '../../../http/dialect/served-window.ts'
import { readBodyText } from '../../../http/request-body.ts'
import { parseJson } from '../../../json-value.ts'
import type { Dialect, Server } from '../../../machine/model-server.ts'
import type { Transport } from '../../../machine/transport.ts'
import type { StoredModel } from '../../../ollama/models.ts'
import { list, object, text } from '../../../wire/json-fields.ts'
import type { Machine } from '../../machine.ts'
import { findServer, findServers, keyHolder, ownServer, providerNames } from './chosen-server.ts'

/** Timeout for servers that accept a connection and stay silent. A closed port answers at once. */
const timeoutMs = 1_000

export interface LocalSearch {
  readonly settings: Settings
  readonly machine: Machine
  readonly transport: Transport
  readonly signal: AbortSignal
}

/** A server that answered, and its models in its order. */
export interface LocalModels {
  readonly server: Server
  readonly models: readonly string[]
}

interface ServerAnswer extends LocalModels {
  /** Whether it has no list of its models. */
  readonly isUnlisted?: true
}

/** A server to ask, with the key that it needs. */
export interface KeyedServer extends Server {
  readonly key?: string
}

/** Lists the models of all servers that need no key, those of the settings first. Skips servers silent for 1 s. Throws `config`. */
export async function findLocalModels(search: LocalSearch): Promise<readonly LocalModels[]> {
  return askServers(keylessServers(search), search)
}

/** Lists the servers that need no key, those of the settings first. Throws `config`. */
export function keylessServers({ settings, machine }: LocalSearch): readonly Server[] {
  return providerNames(settings)
    .filter((name) => keyHolder(name, settings).apiKeyEnv === undefined)
    .flatMap((name) => findServers(name, settings, machine.env))
}

/** Finds the server of a model. With several addresses, prefers one that has the model, then the first that answers. */
export async function locateServer({ provider, model }: ModelName, search: LocalSearch): Promise<Server> {
  const servers = findServers(provider, search.settings, search.machine.env)
  const answers = servers.length > 1 ? await askServers(servers, search) : []
  const chosen = answers.find(({ models }) => models.includes(model)) ?? answers[0]
  return chosen?.server ?? findServer(provider, search.settings, search.machine.env)
}

/** Returns the servers that list their models in time, in their order. */
export async function askServers(
  servers: readonly KeyedServer[],
  search: LocalSearch,
  limitMs = timeoutMs,
): Promise<readonly LocalModels[]> {
  return (await findAnswers(servers, search, limitMs)).filter(({ isUnlisted }) => isUnlisted !== true)
}

/** Returns the servers that list their models in time, and those of the settings that answer without a list, in their order. */
export async function findAnswers(
  servers: readonly KeyedServer[],
  { settings, machine, transport, signal }: LocalSearch,
  limitMs = timeoutMs,
): Promise<readonly ServerAnswer[]> {
  // Each server gets its own signal: a shared one would collect a listener for each.
  const questions = servers.map((server) => ({ server, stop: new AbortController() }))
  const stopAll = () => {
    for (const { stop } of questions) stop.abort()
  }
  signal.addEventListener('abort', stopAll, { once: true })
  const stopWaiting = machine.clock.after(limitMs, stopAll)
  try {
    const answers = await Promise.all(
      questions.map(async ({ server, stop }) => {
        const answer = await listModels(server, transport, stop.signal)
        if (answer === undefined) return []
        if (answer !== 'no list') return [{ server, models: answer }]
        // Anything may listen at a default port, but at an address of the settings it is the server.
        const isKnown = server.key === undefined && ownServer(server.name, settings) !== undefined
        return isKnown ? [{ server, models: [], isUnlisted: true as const }] : []
      }),
    )
    return answers.flat()
  } finally {
    signal.removeEventListener('abort', stopAll)
    stopWaiting()
    stopAll()
  }
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

/** Returns the address at which a server lists its models. */
export function modelsUrl({ baseUrl, dialect }: Pick<Server, 'baseUrl' | 'dialect'>): string {
  return endpoint(baseUrl, listings[dialect].path)
}

/** Returns the headers that carry a key. */
export function localKeyHeaders(
  { dialect, quirks }: Pick<Server, 'dialect' | 'quirks'>,
  key: string,
): Readonly<Record<string, string>> {
  if (quirks?.keyHeader !== undefined) return { [quirks.keyHeader]: key }
  if (dialect === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  return dialect === 'gemini' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` }
}

export type { StoredModel }

type Describe = (baseUrl: string, ask: Ask) => Promise<readonly StoredModel[]>

/** Describes the models of a server, in the dialects that tell more than their names. */
export const describers: Readonly<Partial<Record<Dialect, () => Promise<Describe>>>> = {
  ollama: async () => (await import('../../../ollama/models.ts')).ollamaModels,
}

/** Lists a server's models; `undefined` without an answer. */
async function listModels(
  { baseUrl, dialect, quirks = {}, headers: own = {}, key }: KeyedServer,
  transport: Transport,
  signal: AbortSignal,
): Promise<readonly string[] | 'no list' | undefined> {
  const { models, id } = listings[dialect]
  const headers = { ...(key === undefined ? {} : localKeyHeaders({ dialect, quirks }, key)), ...own }
  try {
    const response = await transport.send(
      { method: 'GET', url: modelsUrl({ baseUrl, dialect }), headers },
      { signal },
    )
    const answer = object(parseJson(await readBodyText(response.body, 1_000_000)))?.[models]
    if (!Array.isArray(answer)) return 'no list'
    return list(answer).flatMap((model) => text(object(model)?.[id]) || [])
  } catch (error) {
    if (isPipeError(error)) return undefined
    throw error
  }
}
