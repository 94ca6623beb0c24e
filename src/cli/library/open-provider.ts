import { createTransport } from '../../http/transport.ts'
import type { Dialect, Quirks } from '../../machine/model-server.ts'
import type { Provider } from '../../provider.ts'
import { systemIds } from '../host.ts'
import { systemClock } from '../system-clock.ts'
import { userAgent } from '../version.ts'
import { createProvider } from '../wiring/model/chosen-model.ts'

export interface ServerOptions {
  readonly dialect: Dialect
  /** With the version (`https://host/v1`) where the dialect's paths begin after it, else the host. */
  readonly baseUrl: string
  /** Name in messages and errors. Default: the dialect. */
  readonly name?: string
  readonly apiKey?: string
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly quirks?: Quirks
}

/** A provider and its connections. */
export interface OpenProvider extends AsyncDisposable {
  readonly provider: Provider
  close(): Promise<void>
}

/** Opens a provider for a model server, without settings, stored keys and proxies. Connects at the first request. */
export async function openProvider({
  dialect,
  name = dialect,
  ...server
}: ServerOptions): Promise<OpenProvider> {
  const transport = createTransport({ userAgent })
  const access = { name, ...server, transport, newId: systemIds(), clock: systemClock }
  const provider = await createProvider(dialect, access)
  const close = async () => transport.close()
  return { provider, close, [Symbol.asyncDispose]: close }
}
