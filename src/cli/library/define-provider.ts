import { PipeError } from '../../error.ts'
import type { Provider, Request } from '../../provider.ts'
import { type Adapter, adaptedProvider } from '../../stream.ts'
import { systemClock } from '../clock.ts'
import { systemIds } from '../host.ts'

/**
 * Defines a provider by an adapter, an async generator of a server's reply. The request is validated first; the stream builds the
 * message, and ends the generator when it is closed or aborted.
 */
export function defineProvider(name: string, adapt: (request: Request) => Adapter): Provider {
  const complete = (request: Request) => requireFinish(name, adapt(request))
  return adaptedProvider(name, complete, { newId: systemIds(), clock: systemClock })
}

/** Throws `protocol` if the adapter ends without a stop reason, which JavaScript does not check. */
function requireFinish(name: string, adapter: Adapter): Adapter {
  return async function* (signal) {
    const finish = yield* adapter(signal)
    if (typeof finish?.stopReason === 'string') return finish
    throw new PipeError('protocol', `the provider ${name} ended its reply without { stopReason }`)
  }
}
