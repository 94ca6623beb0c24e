import type { Clock } from '../../clock.ts'
import type { Provider, Request } from '../../provider.ts'
import { type Adapter, adaptedProvider } from '../../stream.ts'
import { systemIds } from '../host.ts'
import { systemClock } from '../system-clock.ts'
import { containProvider } from './foreign/foreign-provider.ts'
import { checkedAdapter } from './foreign/own-adapter.ts'

/** Returns a function that defines providers whose streams have this clock. */
export function providerDefiner(clock: Clock) {
  return (name: string, adapt: (request: Request) => Adapter): Provider =>
    containProvider(
      adaptedProvider(name, (request) => checkedAdapter(adapt(request)), { newId: systemIds(), clock }),
      clock,
    )
}

/**
 * Defines a provider by an adapter, an async generator of a server's reply. The request is validated first; the stream builds the
 * message, and ends the generator when it is closed or aborted. A generator that ignores its signal is left alone after 5 s: `close` and a
 * pending `next` then throw `aborted`. What it throws besides a `PipeError` is `protocol`. An empty `request.model` means its default.
 */
export const defineProvider = providerDefiner(systemClock)
