import { readAuthFile, type StoredKeys } from '../../../config/auth-file.ts'
import { findDirectories } from '../../../config/directories.ts'
import { PipeError } from '../../../error.ts'
import type { Server } from '../../../machine/model-server.ts'
import type { Machine } from '../../machine.ts'

/** A server whose key is looked up. */
export type KeyHolder = Pick<Server, 'name' | 'apiKeyEnv' | 'apiKeyAliases'>

export interface KeySources {
  readonly env: Machine['env']
  readonly stored: StoredKeys
}

export interface FoundKey {
  readonly key: string
  /** The variable's name, or `auth.json`. */
  readonly source: string
}

/** Finds a server's key: the first of its variables that is set, else the stored one. */
export function findKey(
  { name, apiKeyEnv, apiKeyAliases = [] }: KeyHolder,
  { env, stored }: KeySources,
): FoundKey | undefined {
  const variables = apiKeyEnv === undefined ? [] : [apiKeyEnv, ...apiKeyAliases]
  for (const source of variables) {
    const key = env[source]?.trim() ?? ''
    if (key !== '') return { key, source }
  }
  const key = stored.get(name)
  return key === undefined ? undefined : { key, source: 'auth.json' }
}

/** Reads the keys stored by `pipe auth`. Warns on stderr if the file was open to others. Throws `config`. */
export async function openKeys(machine: Machine): Promise<StoredKeys> {
  const { keys, warnings } = await readAuthFile(findDirectories(machine.env, machine.home).config)
  for (const warning of warnings) machine.warn(warning)
  return keys
}

/** Reads a key that was typed or pasted. Throws `input` for a text that cannot be one. */
export function readKeyText(text: string): string {
  const key = text.trim()
  if (key === '') throw new PipeError('input', 'no key was given; nothing was stored')
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new PipeError(
    'input',
    'a key has only ASCII characters, no spaces and no control characters; nothing was stored',
  )
}
