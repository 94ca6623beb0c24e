import type { Settings } from '../../../config/settings.ts'
import { PipeError } from '../../../error.ts'
import type { Machine } from '../../machine.ts'
import { keyHolder } from './chosen-server.ts'
import { findKey, type KeySources, openKeys } from './provider-keys.ts'

/** Finds a server's key. Reads the stored keys only if the environment has none. Throws `auth` if a required key is missing. */
export async function findServerKey(
  name: string,
  settings: Settings,
  machine: Machine,
): Promise<string | undefined> {
  const holder = keyHolder(name, settings)
  const found =
    findKey(holder, { env: machine.env, stored: new Map() }) ?? findKey(holder, await keySources(machine))
  if (found !== undefined || holder.apiKeyEnv === undefined) return found?.key
  throw new PipeError('auth', `${name} needs a key: export ${holder.apiKeyEnv}=… or: pipe auth set ${name}`, {
    details: { field: holder.apiKeyEnv, provider: name },
  })
}

/** Says how to replace the key of a server: where its variable is set, that overrides a stored one. */
export function keyRemedy(name: string, settings: Settings, { env }: Machine): string {
  const store = `pipe auth set ${name}`
  const found = findKey(keyHolder(name, settings), { env, stored: new Map() })
  return found === undefined
    ? `store a key with: ${store}`
    : `export another key as ${found.source}, or unset that and run: ${store}`
}

export async function keySources(machine: Machine): Promise<KeySources> {
  return { env: machine.env, stored: await openKeys(machine) }
}
