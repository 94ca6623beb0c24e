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
    details: { field: holder.apiKeyEnv },
  })
}

export async function keySources(machine: Machine): Promise<KeySources> {
  return { env: machine.env, stored: await openKeys(machine) }
}
