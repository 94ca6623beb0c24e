import { builtinServers } from '../config/servers.ts'
import type { ServerSettings, Settings } from '../config/settings.ts'
import { PipeError } from '../error.ts'
import { present } from '../present.ts'
import type { Server } from '../server.ts'
import type { Host } from './host.ts'
import { nearest } from './nearest.ts'

/** A server by name: the built-in row, with what the user's settings and `<NAME>_BASE_URL` change of it. */
export function findServer(name: string, settings: Settings, env: Host['env']): Server {
  const servers = settings.providers ?? {}
  const own: ServerSettings | undefined = Object.hasOwn(servers, name) ? servers[name] : undefined
  const row = builtinServers.find((server) => server.name === name)
  const found = own ?? row
  if (found === undefined) {
    const known = [...Object.keys(servers), ...builtinServers.map((server) => server.name), 'replay']
    const close = nearest(name, known)
    throw new PipeError(
      'config',
      `no provider is called ${name}${close === undefined ? '' : `; did you mean ${close}?`} There are: ${known.join(', ')}. ` +
        'Others are added under "providers" in config.json.',
    )
  }
  const baseUrl =
    own?.base_url ?? env[`${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_BASE_URL`] ?? row?.baseUrl
  if (baseUrl === undefined) {
    throw new PipeError(
      'config',
      `providers.${name}.base_url is missing in config.json: expected an http or https URL`,
    )
  }
  const apiKeyEnv = own?.api_key_env ?? row?.apiKeyEnv
  return { ...row, name, dialect: found.dialect, baseUrl, ...present({ apiKeyEnv, headers: own?.headers }) }
}
