import { readAuthFile } from '../../../config/auth-file.ts'
import { namedFiles, readNamed } from '../../../config/trust/authorities.ts'
import { describeProxy, readProxies } from '../../../http/proxy.ts'
import { findServer, keyHolder, ownServer, providerNames } from '../../wiring/model/chosen-server.ts'
import { findKey } from '../../wiring/model/provider-keys.ts'
import { broken, type CheckContext, type Checkup } from './checkup.ts'

/** Checks how pipe reaches the usable servers: directly, or through a proxy. */
export async function checkNetwork(around: CheckContext): Promise<Checkup> {
  try {
    const proxyFor = readProxies(around.machine.env)
    if (proxyFor === undefined) return { name: 'network', state: 'ok', text: 'direct: no proxy is set' }
    const ways = new Map<string, string[]>()
    for (const { name, url } of await usableServers(around)) {
      const proxy = proxyFor(url)
      const way = proxy === undefined ? 'directly' : `through ${describeProxy(proxy)}`
      ways.set(way, [...(ways.get(way) ?? []), name])
    }
    const text = [...ways].map(([way, names]) => `${names.join(', ')} ${way}`).join('; ')
    return {
      name: 'network',
      state: 'ok',
      text: text === '' ? 'a proxy is set, but no server is usable' : text,
    }
  } catch (error) {
    return broken('network', error)
  }
}

/** Checks the certificate files trusted in addition to Node's own authorities. */
export function checkAuthorities({ machine, settings }: CheckContext): readonly Checkup[] {
  const files = namedFiles({ caFile: settings.ca_file, env: machine.env, home: machine.home })
  return files.map((file) => {
    try {
      readNamed(file)
      return { name: 'authorities', state: 'ok', text: `${file.name}: ${file.path}` }
    } catch (error) {
      return broken('authorities', error)
    }
  })
}

/** Lists the servers that have a key and those from the settings. */
async function usableServers({ machine, settings, directories }: CheckContext) {
  const { keys } = await readAuthFile(directories.config)
  return providerNames(settings).flatMap((name) => {
    const key = findKey(keyHolder(name, settings), { env: machine.env, stored: keys })
    if (key === undefined && ownServer(name, settings) === undefined) return []
    return [{ name, url: new URL(findServer(name, settings, machine.env).baseUrl) }]
  })
}
