import { builtinServers } from '../../config/models/servers.ts'
import { invalidField, PipeError } from '../../error.ts'
import { type Dialect, dialects, type Quirks } from '../../machine/model-server.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Provider } from '../../provider.ts'
import { systemIds } from '../host.ts'
import { systemClock } from '../system-clock.ts'
import { userAgent } from '../version.ts'

export interface ServerOptions {
  readonly dialect: Dialect
  /** With the version (`https://host/v1`) where the dialect's paths begin after it, else the host. */
  readonly baseUrl: string
  /** Name in messages and errors. Default: the dialect. */
  readonly name?: string | undefined
  readonly apiKey?: string | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly quirks?: Quirks | undefined
  /** The model of requests that name none. Default: that of pipe's own server with this `baseUrl`, else such a request is `invalid`. */
  readonly defaultModel?: string | undefined
}

/** A provider and its connections. */
export interface OpenProvider extends AsyncDisposable {
  readonly provider: Provider
  close(): Promise<void>
}

/**
 * Opens a provider for a model server, without settings, stored keys and proxies. Connects at the first request. The caller closes it. Throws
 * `usage` for a dialect that there is not, and without a `baseUrl`.
 */
export async function openProvider({
  dialect,
  baseUrl,
  name = dialect,
  defaultModel,
  ...server
}: ServerOptions): Promise<OpenProvider> {
  if (!dialects.includes(dialect))
    throw new PipeError(
      'usage',
      `openProvider: there is no dialect ${dialect}; choose ${dialects.join(', ')}`,
    )
  if (typeof baseUrl !== 'string') throw new PipeError('usage', 'openProvider: baseUrl is missing')
  const { createTransport } = await import('../../http/transport.ts')
  const { createProvider } = await import('../wiring/model/chosen-model.ts')
  const transport = createTransport({ userAgent, clock: systemClock })
  const ports = { transport, newId: systemIds(), clock: systemClock }
  const access = { name, baseUrl, ...omitUndefined(server), ...ports }
  const known = builtinServers.find((builtin) => builtin.baseUrl === baseUrl)?.defaultModel
  const provider = withDefaultModel(await createProvider(dialect, access), defaultModel ?? known)
  const close = async () => transport.close()
  return { provider, close, [Symbol.asyncDispose]: close }
}

/** Lets a provider answer requests that name no model. */
function withDefaultModel(provider: Provider, model: string | undefined): Provider {
  return {
    name: provider.name,
    stream(request, options) {
      if (request.model !== '') return provider.stream(request, options)
      if (model !== undefined) return provider.stream({ ...request, model }, options)
      const reason = `it names no model, and no default of ${provider.name} is known: set defaultModel`
      throw invalidField('model', reason, `invalid request: ${reason}`)
    },
  }
}
