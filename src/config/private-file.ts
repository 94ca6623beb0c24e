import { dirname } from 'node:path'
import { PipeError } from '../error.ts'
import { type PatientLockOptions, waitForLock } from '../files/lock/lock.ts'
import { lookThrough } from '../files/look.ts'
import { tighten } from '../files/mode.ts'
import { makePrivateFolder } from '../files/private-folder.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'
import { readJsonWithComments } from './settings-document.ts'

/** Version written to private files. */
const currentVersion = 1

/** Contents of a private file, with warnings about access by other users. */
export interface PrivateFile {
  /** Fields without the version; empty if the file is no object of our version. `undefined` if there is no file. */
  readonly fields: JsonObject | undefined
  readonly warnings: readonly string[]
}

/**
 * Reads a private file. Makes a file that others can access private, with a warning. Throws like `readDocument`, and
 * `config` for a newer version.
 */
export async function readPrivateFile(path: string): Promise<PrivateFile> {
  const warnings = closed(path)
  const document = await readJsonWithComments(path)
  return { fields: document === undefined ? undefined : fieldsOf(document, path), warnings }
}

function fieldsOf(document: JsonValue, path: string): JsonObject {
  const { version, ...fields } = isJsonObject(document) ? document : {}
  if (typeof version === 'number' && version > currentVersion) {
    throw new PipeError('config', `${path} has version ${version}, which needs a newer pipe`)
  }
  return version === currentVersion ? fields : {}
}

/**
 * Writes the fields from `compose` atomically, for the owner only (0600, in a folder with 0700). No other process changes the
 * file while `compose` runs. Throws what `compose` throws, and `conflict` if another process holds the lock for 3 s.
 */
export async function writePrivateFile(
  path: string,
  compose: () => Promise<JsonObject>,
  holder: PatientLockOptions,
): Promise<void> {
  await whileLocked(path, holder, async () => {
    const text = JSON.stringify({ version: currentVersion, ...(await compose()) }, undefined, 2)
    const { writeAtomically } = await import('../files/writing/atomic.ts')
    await writeAtomically(path, Buffer.from(`${text}\n`), { mode: 0o600 })
  })
}

/** Runs `work` while the file is locked, in a folder made 0700. Throws `conflict` if another process holds the lock for 3 s. */
export async function whileLocked(
  path: string,
  holder: PatientLockOptions,
  work: () => Promise<void>,
): Promise<void> {
  makePrivateFolder(dirname(path))
  const lock = await waitForLock(`${path}.lock`, holder)
  try {
    await work()
  } finally {
    lock.release()
  }
}

/** Makes a file private, with a warning if others could use it until now. One that stays open is told where it is used. */
function closed(path: string): readonly string[] {
  const found = lookThrough(path)
  if (found?.isFile() !== true || tighten(path, 0o600) !== 'closed') return []
  return [
    `${path} was open to other users (mode ${(found.mode & 0o777).toString(8)}); only you can access it now`,
  ]
}
