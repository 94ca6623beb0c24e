import { type ModelName, parseModelName } from '../../../config/models/model-name.ts'
import { readModelRoute } from '../../../config/models/route-models.ts'
import type { Settings } from '../../../config/settings.ts'
import { PipeError } from '../../../error.ts'
import type { EmbedderOptions } from '../../../http/dialect/wire-embedder.ts'
import type { Dialect, Server, ServerAccess } from '../../../machine/model-server.ts'
import type { Transport } from '../../../machine/transport.ts'
import type { Embedder } from '../../../memory/vector-store.ts'
import type { Machine } from '../../machine.ts'
import { openRedactor } from '../audit/open-audit-log.ts'
import { type LocalSearch, locateServer } from '../model/local-servers.ts'
import { openTransport } from '../model/open-network.ts'
import { findServerKey } from '../model/server-key.ts'

type Create = (access: ServerAccess, options: EmbedderOptions) => Embedder

const openai = async () => (await import('../../../openai/embeddings.ts')).createOpenaiEmbedder

/** The dialects that have embeddings. */
export const embedderCreators: Readonly<Partial<Record<Dialect, () => Promise<Create>>>> = {
  'openai-chat': openai,
  'openai-responses': openai,
  ollama: async () => (await import('../../../ollama/embeddings.ts')).createOllamaEmbedder,
}

/**
 * Opens the model of `routes.embedding`; returns `undefined` if none is set. Texts are redacted before they leave this machine.
 * Holds no connection between calls. Throws `config` for several models or a provider without embeddings, and `auth`.
 */
export async function openChosenEmbedder(
  machine: Machine,
  settings: Settings,
): Promise<Embedder | undefined> {
  const name = embeddingModel(settings)
  if (name === undefined) return undefined
  const transport = openTransport(machine, settings)
  try {
    const server = await findEmbeddingServer(name, { settings, machine, transport })
    const embedder = await createEmbedder(name, server, { settings, machine, transport })
    return closingAfterCalls(embedder, transport)
  } finally {
    transport.close()
  }
}

/** The model of the route; `undefined` if none is set. Throws `config` for several. */
function embeddingModel(settings: Settings): ModelName | undefined {
  const [model, ...others] = readModelRoute('embedding', settings)
  if (others.length === 0) return model === undefined ? undefined : parseModelName(model)
  throw new PipeError(
    'config',
    'routes.embedding takes one model: vectors of different models cannot be compared',
  )
}

/** The parts of a run that an embedder is made of. */
type Parts = Omit<LocalSearch, 'signal'>

async function findEmbeddingServer(name: ModelName, parts: Parts): Promise<Server> {
  if (name.provider === 'replay') throw withoutEmbeddings(name.provider)
  // The search for an address takes a second at most, so nobody needs to interrupt it.
  const uninterrupted = new AbortController().signal
  return locateServer(name, { ...parts, signal: uninterrupted })
}

async function createEmbedder(
  { provider, model }: ModelName,
  server: Server,
  { settings, machine, transport }: Parts,
): Promise<Embedder> {
  const create = embedderCreators[server.dialect]
  if (create === undefined) throw withoutEmbeddings(provider)
  const { newId, clock, random } = machine
  const apiKey = await findServerKey(server.name, settings, machine)
  const access = { ...server, apiKey, transport, newId, clock }
  const redact = await openRedactor(machine, settings)
  return (await create())(access, { model, redact, random })
}

/** Closes the connections that a call leaves idle, as the next call may come late or never. */
export function closingAfterCalls(embedder: Embedder, transport: Transport): Embedder {
  return {
    model: embedder.model,
    embed: (texts, options) => embedder.embed(texts, options).finally(() => transport.close()),
  }
}

function withoutEmbeddings(provider: string): PipeError {
  const able = Object.keys(embedderCreators).join(', ')
  return new PipeError(
    'config',
    `${provider} has no embeddings: routes.embedding takes a model of a server with one of these dialects: ${able}`,
  )
}
