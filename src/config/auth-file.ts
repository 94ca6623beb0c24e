import { join } from 'node:path'
import { PipeError } from '../error.ts'
import type { PatientLockOptions } from '../files/lock.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'
import { readPrivateFile, writePrivateFile } from './private-file.ts'

/** Keys by the name of their provider. */
export type StoredKeys = ReadonlyMap<string, string>

export interface AuthFile {
  readonly keys: StoredKeys
  /** What others on this machine could do with the file until now. */
  readonly warnings: readonly string[]
}

/** The file of keys in the user's folder of settings. */
export function authPath(config: string): string {
  return join(config, 'auth.json')
}

/**
 * The keys that are stored; none where there is no file. A file that others may read or write is made the owner's alone, with a
 * warning. Throws `config` naming the file, and never what stands in it, where it is broken.
 */
export async function readAuthFile(config: string): Promise<AuthFile> {
  const path = authPath(config)
  const { fields, warnings } = await readPrivateFile(path)
  return { keys: fields === undefined ? new Map() : readKeys(fields, path), warnings }
}

/** Changes the stored keys, as a whole or not at all. Throws as `readAuthFile`, and `conflict` while another process does the same. */
export async function changeKeys(
  config: string,
  change: (keys: Map<string, string>) => void,
  holder: PatientLockOptions,
): Promise<void> {
  const compose = async () => {
    const keys = new Map((await readAuthFile(config)).keys)
    change(keys)
    return { keys: Object.fromEntries(keys) }
  }
  await writePrivateFile(authPath(config), compose, holder)
}

function readKeys({ keys }: JsonObject, path: string): StoredKeys {
  const entries = isJsonObject(keys) ? Object.entries(keys) : undefined
  if (entries === undefined || !entries.every(isText)) {
    throw new PipeError(
      'config',
      `${path} is broken: expected {"version": 1, "keys": {"PROVIDER": "KEY"}}; mend it, or delete it and store the keys again`,
    )
  }
  return new Map(entries)
}

function isText(entry: [string, JsonValue]): entry is [string, string] {
  return typeof entry[1] === 'string' && entry[1] !== ''
}
