import { chmodSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PipeError } from '../error.ts'
import { writeAtomically } from '../files/atomic.ts'
import { type LockOptions, takeLock } from '../files/lock.ts'
import { fileError, systemCode } from '../files/system-error.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import { readDocument } from './document.ts'
import { look } from './project-root.ts'

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
  const warnings = tighten(path)
  const document = await readDocument(path)
  return { keys: document === undefined ? new Map() : readKeys(document, path), warnings }
}

/** Changes the stored keys, as a whole or not at all. Throws as `readAuthFile`, and `conflict` while another process does the same. */
export async function changeKeys(
  config: string,
  change: (keys: Map<string, string>) => void,
  holder: LockOptions,
): Promise<void> {
  const path = authPath(config)
  await makeFolder(config)
  const lock = takeLock(`${path}.lock`, holder)
  try {
    const keys = new Map((await readAuthFile(config)).keys)
    change(keys)
    const text = JSON.stringify({ version: 1, keys: Object.fromEntries(keys) }, undefined, 2)
    await writeAtomically(path, Buffer.from(`${text}\n`), { mode: 0o600 })
  } finally {
    lock.release()
  }
}

function readKeys(document: JsonValue, path: string): StoredKeys {
  const { version, keys } = isJsonObject(document) ? document : {}
  if (typeof version === 'number' && version > 1) {
    throw new PipeError('config', `${path} is of version ${version}, which only a newer pipe reads`)
  }
  const entries = isJsonObject(keys) ? Object.entries(keys) : undefined
  if (version !== 1 || entries === undefined || !entries.every(isText)) {
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

function tighten(path: string): readonly string[] {
  const found = look(path)
  if (found?.isFile() !== true || (found.mode & 0o077) === 0) return []
  const before = `${path} was open to others (mode ${(found.mode & 0o777).toString(8)})`
  try {
    chmodSync(path, 0o600)
    return [`${before}; it is yours alone now`]
  } catch (error) {
    return [`${before}, and that cannot be changed (${systemCode(error) ?? 'unknown'})`]
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw fileError(error, path, 'make')
  }
}
