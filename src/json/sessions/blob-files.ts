import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../files/lazy-crypto.ts'
import { makePrivateFolder } from '../../files/private-folder.ts'
import { writeAtomically } from '../../files/writing/atomic.ts'
import type { DiskBlob } from '../documents/schema.ts'

/** Writes bytes to a file named by their SHA-256, on disk when it resolves. */
export async function writeBlob(bytes: Buffer, folder: string): Promise<DiskBlob> {
  const blob = { sha256: sha256(bytes), size: bytes.length }
  const path = join(folder, blob.sha256)
  const written = await stat(path).catch(() => undefined)
  if (written?.size === blob.size) return blob
  makePrivateFolder(folder)
  await writeAtomically(path, bytes, { mode: 0o600 })
  return blob
}

/** Reads blobs as base64 by their SHA-256. Leaves out missing and damaged ones. */
export async function readBlobs(
  blobs: readonly DiskBlob[],
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const blob of blobs) {
    const bytes = await readFile(join(folder, blob.sha256)).catch(() => undefined)
    if (bytes !== undefined && sha256(bytes) === blob.sha256) found.set(blob.sha256, bytes.toString('base64'))
  }
  return found
}
