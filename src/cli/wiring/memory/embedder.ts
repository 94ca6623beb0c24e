import { parseModelName } from '../../../config/model-name.ts'
import { readRoute } from '../../../config/routes.ts'
import type { Settings } from '../../../config/settings.ts'
import { PipeError } from '../../../error.ts'
import type { EmbedderOptions } from '../../../http/dialect/wire-embedder.ts'
import type { Embedder } from '../../../memory/vector-store.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { Dialect, ServerAccess } from '../../../server.ts'
import type { Machine } from '../../machine.ts'
import { openRedactor } from '../audit/audit-log.ts'
import { locateServer } from '../model/local-servers.ts'
import { openTransport } from '../model/network.ts'
import { readKey } from '../model/server-key.ts'

type Create = (access: ServerAccess, options: EmbedderOptions) => Embedder

const openai = async () => (await import('../../../openai/embeddings.ts')).createOpenaiEmbedder

/** The dialects that have embeddings. */
const creators: Readonly<Partial<Record<Dialect, () => Promise<Create>>>> = {
  'openai-chat': openai,
  'openai-responses': openai,
  ollama: async () => (await import('../../../ollama/embeddings.ts')).createOllamaEmbedder,
}

/**
 * Opens the model of `routes.embedding`; returns `undefined` if none is set. Texts are redacted before they leave this machine.
 * Holds no connection between calls. Throws `config` for several models or a provider without embeddings, and `auth`.
 */
export async function openEmbedder(machine: Machine, settings: Settings): Promise<Embedder | undefined> {
  const [text, ...others] = readRoute('embedding', settings)
  if (text === undefined) return undefined
  if (others.length > 0)
    throw new PipeError(
      'config',
      'routes.embedding takes one model: the vectors of several cannot be compared',
    )
  const name = parseModelName(text)
  const transport = openTransport(machine, settings)
  try {
    if (name.provider === 'replay') throw withoutEmbeddings(name.provider)
    const { signal } = new AbortController()
    const server = await locateServer(name, { settings, machine, transport, signal })
    const create = creators[server.dialect]
    if (create === undefined) throw withoutEmbeddings(name.provider)
    const { newId, clock, random } = machine
    const apiKey = await readKey(server.name, settings, machine)
    const access = { ...server, ...omitUndefined({ apiKey }), transport, newId, clock }
    const redact = await openRedactor(machine)
    const embedder = (await create())(access, { model: name.model, redact, random })
    return {
      model: embedder.model,
      embed: (texts, options) => embedder.embed(texts, options).finally(() => transport.close()),
    }
  } finally {
    transport.close()
  }
}

function withoutEmbeddings(provider: string): PipeError {
  const able = Object.keys(creators).join(', ')
  return new PipeError(
    'config',
    `${provider} makes no embeddings: routes.embedding takes a model of a server that speaks one of ${able}`,
  )
}
