import { withinLimit } from '../../../clock.ts'
import { authPath, changeKeys } from '../../../config/auth-file.ts'
import { findDirectories } from '../../../config/directories.ts'
import { builtinServers } from '../../../config/models/servers.ts'
import type { Settings } from '../../../config/settings.ts'
import { isPipeError, PipeError } from '../../../error.ts'
import type { KeyStore } from '../../../frontend/key-store.ts'
import { readBodyText } from '../../../http/request-body.ts'
import { lockHolder, type Machine } from '../../machine.ts'
import { findServer, keyHolder, providerNames } from './chosen-server.ts'
import { localKeyHeaders, modelsUrl } from './local-servers.ts'
import { openTransport } from './open-network.ts'
import { findKey, openKeys, readKeyText } from './provider-keys.ts'

export interface KeyStoreOptions {
  readonly machine: Machine
  readonly settings: Settings
}

/** Time in ms that a provider gets to say whether it takes a key. */
const timeoutMs = 10_000

/** Opens the keys of this user. Throws `config`. */
export async function openKeyStore({ machine, settings }: KeyStoreOptions): Promise<KeyStore> {
  const stored = await openKeys(machine)
  return {
    providers: () =>
      providerNames(settings).flatMap((name) => {
        const holder = keyHolder(name, settings)
        const source = findKey(holder, { env: machine.env, stored })?.source
        return holder.apiKeyEnv === undefined ? [] : [{ name, source }]
      }),
    check: (provider) => void findServer(provider, settings, machine.env),
    providerOf: (key) =>
      builtinServers.find(({ keyBeginnings = [] }) => keyBeginnings.some((one) => key.startsWith(one)))?.name,
    store: async (provider, text, signal) => {
      const key = readKeyText(text)
      const isKnown = await checkAtProvider(provider, key, { machine, settings, signal })
      const { config } = findDirectories(machine.env, machine.home)
      await changeKeys(config, (keys) => keys.set(provider, key), lockHolder(machine, signal))
      const found = findKey(keyHolder(provider, settings), { env: machine.env, stored: new Map() })
      return [
        `the key for ${provider} is stored in ${authPath(config)}`,
        ...(isKnown ? [] : [`it could not be checked with ${provider}`]),
        ...(found === undefined ? [] : [`${found.source} is set and overrides it`]),
      ].join('; ')
    },
  }
}

/** Asks a provider for its models with this key. Returns whether it took the key; false if it could not be asked. Throws `auth`, `aborted`. */
async function checkAtProvider(
  provider: string,
  key: string,
  { machine, settings, signal }: KeyStoreOptions & { readonly signal: AbortSignal },
): Promise<boolean> {
  const server = findServer(provider, settings, machine.env)
  const transport = openTransport(machine, settings)
  const headers = { ...server.headers, ...localKeyHeaders(server, key) }
  const request = { method: 'GET', url: modelsUrl(server), headers } as const
  try {
    return await withinLimit({ clock: machine.clock, ms: timeoutMs, signal }, async (until) => {
      const { status, body } = await transport.send(request, { signal: until })
      const text = await readBodyText(body, 1_000_000)
      if (isRefusal(status, text))
        throw new PipeError('auth', `${provider} does not take this key; nothing was stored`)
      return status >= 200 && status < 300
    })
  } catch (error) {
    if (!isPipeError(error) || error.code === 'auth' || signal.aborted) throw error
    return false
  } finally {
    transport.close()
  }
}

/** Some servers call a wrong key an invalid argument. */
function isRefusal(status: number, text: string): boolean {
  return status === 401 || status === 403 || (status === 400 && text.includes('API_KEY_INVALID'))
}
