import { PipeError } from '../../../error.ts'
import type { Embedder } from '../../../memory/vector-store.ts'
import { createRedactor } from '../../../redaction/redaction.ts'
import { systemIds } from '../../host.ts'
import { systemClock } from '../../system-clock.ts'
import { userAgent } from '../../version.ts'
import type { ServerOptions } from '../open-provider.ts'

/** A server that makes embeddings. Not each dialect has them. */
export interface EmbedderServer
  extends Pick<ServerOptions, 'dialect' | 'baseUrl' | 'name' | 'apiKey' | 'headers'> {
  /** The model as its server calls it. */
  readonly model: string
  /** Texts from 8 characters that become `[redacted]` before a text leaves this machine, besides keys of known shapes. Default: none. */
  readonly secrets?: readonly string[]
}

/**
 * Opens a model for embeddings on a server, without settings, stored keys and proxies. Holds no connection between calls, so there is nothing
 * to close. Throws `usage` for a dialect without embeddings.
 */
export async function openEmbedder({
  dialect,
  model,
  secrets = [],
  name = dialect,
  ...server
}: EmbedderServer): Promise<Embedder> {
  const { closingAfterCalls, embedderCreators } = await import('../../wiring/memory/embedder.ts')
  const create = embedderCreators[dialect]
  if (create === undefined) throw new PipeError('usage', `openEmbedder: ${dialect} makes no embeddings`)
  const { createTransport } = await import('../../../http/transport.ts')
  const transport = createTransport({ userAgent })
  const access = { ...server, name, transport, newId: systemIds(), clock: systemClock }
  const options = { model, redact: createRedactor(secrets), random: Math.random }
  return closingAfterCalls((await create())(access, options), transport)
}
