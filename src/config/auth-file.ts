import { join } from 'node:path'
import { PipeError } from '../error.ts'
import type { PatientLockOptions } from '../files/lock/lock.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'
import { readPrivateFile, writePrivateFile } from './private-file.ts'

/** API keys by provider name. */
export type StoredKeys = ReadonlyMap<string, string>

export interface AuthFile {
  readonly keys: StoredKeys
  /** Says that the file was open to other users until now. */
  readonly warnings: readonly string[]
}

/** Returns the path of the key file in the user's config folder. */
export function authPath(config: string): string {
  return join(config, 'auth.json')
}

/**
 * Reads the stored keys; none if there is no file. Makes a file that others can read or write private to its owner, with a
 * warning. Throws `config` naming the file, but not its contents, if it is broken.
 */
export async function readAuthFile(config: string): Promise<AuthFile> {
  const path = authPath(config)
  const { fields, warnings } = await readPrivateFile(path)
  return { keys: fields === undefined ? new Map() : readKeys(fields, path), warnings }
}

/** Changes the stored keys atomically. Throws like `readAuthFile`, and `conflict` while another process does the same. */
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
      `${path} is damaged: expected {"version": 1, "keys": {"PROVIDER": "KEY"}}; repair it, or delete it and store the keys again`,
    )
  }
  return new Map(entries)
}

function isText(entry: [string, JsonValue]): entry is [string, string] {
  return typeof entry[1] === 'string' && entry[1] !== ''
}
