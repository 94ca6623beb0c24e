import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { type PatientLockOptions, waitForLock } from '../files/lock.ts'
import { makePrivateFolder } from '../files/private-folder.ts'
import { systemCode } from '../files/system-error.ts'
import type { JsonValue } from '../json-value.ts'
import { readDocument } from './document.ts'
import { look } from './project-root.ts'

/** What a file says that is its owner's alone, and what others on this machine could do with it until now. */
export interface PrivateFile {
  readonly document: JsonValue | undefined
  readonly warnings: readonly string[]
}

/** A file that others may read or write is made its owner's alone, with a warning. Throws as `readDocument`. */
export async function readPrivateFile(path: string): Promise<PrivateFile> {
  const warnings = tighten(path)
  return { document: await readDocument(path), warnings }
}

/**
 * Writes what `compose` gives, as a whole or not at all, for the owner alone (0600, in a folder made 0700). `compose` may read the
 * file: no other process changes it meanwhile. Throws what `compose` throws, and `conflict` where another process is at it for 3 s.
 */
export async function writePrivateFile(
  path: string,
  compose: () => Promise<JsonValue>,
  holder: PatientLockOptions,
): Promise<void> {
  makePrivateFolder(dirname(path))
  const lock = await waitForLock(`${path}.lock`, holder)
  try {
    const text = JSON.stringify(await compose(), undefined, 2)
    const { writeAtomically } = await import('../files/atomic.ts')
    await writeAtomically(path, Buffer.from(`${text}\n`), { mode: 0o600 })
  } finally {
    lock.release()
  }
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
