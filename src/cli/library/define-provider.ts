import type { Provider, Request } from '../../provider.ts'
import { type Adapter, adaptedProvider } from '../../stream.ts'
import { systemIds } from '../host.ts'
import { systemClock } from '../system-clock.ts'

/**
 * Defines a provider by an adapter, an async generator of a server's reply. The request is validated first; the stream builds the
 * message, and ends the generator when it is closed or aborted.
 */
export function defineProvider(name: string, adapt: (request: Request) => Adapter): Provider {
  return adaptedProvider(name, adapt, { newId: systemIds(), clock: systemClock })
}
