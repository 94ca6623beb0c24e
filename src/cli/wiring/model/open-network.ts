import type { Settings } from '../../../config/settings.ts'
import { readProxies } from '../../../http/proxy.ts'
import { createTransport, type TransportOptions } from '../../../http/transport.ts'
import type { Transport } from '../../../machine/transport.ts'
import type { Machine } from '../../machine.ts'
import { userAgent } from '../../version.ts'
import type { WireContext } from '../wire-context.ts'

/** Opens the network of a conversation. */
export function openRunTransport({
  machine,
  loaded,
  closing,
}: Pick<WireContext, 'machine' | 'loaded' | 'closing'>): Transport {
  const transport = openTransport(machine, loaded.settings)
  closing.add(() => transport.close())
  return transport
}

/** Opens the network with the proxies and certificate authorities of the environment and the settings. */
export function openTransport(
  { env, home, clock }: Machine,
  settings: Settings,
  more: Pick<TransportOptions, 'idleMs' | 'socketPath'> = {},
): Transport {
  const proxyFor = readProxies(env)
  return createTransport({
    userAgent,
    clock,
    ...more,
    ...(proxyFor === undefined ? {} : { proxies: { proxyFor, clock } }),
    authorities: async () => {
      const { readAuthorities } = await import('../../../config/trust/authorities.ts')
      return readAuthorities({ caFile: settings.ca_file, env, home })
    },
  })
}
