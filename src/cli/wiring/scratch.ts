import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promises } from '../../files/lazy-fs.ts'
import type { Host } from '../host.ts'

/** A name nobody can guess, for a folder of temporary files that whoever needs it first makes. */
export function nameScratch({ newId }: Pick<Host, 'newId'>): string {
  return join(tmpdir(), `pipe-${newId.message()}`)
}

/** Removes the folder, where it was made. */
export async function removeScratch(path: string): Promise<void> {
  if (existsSync(path)) await promises().rm(path, { recursive: true, force: true })
}
