import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findDirectories } from '../../config/directories.ts'
import { promises } from '../../files/lazy-fs.ts'
import type { Machine } from '../machine.ts'

/** Returns an unguessable path for a temporary folder, created by its first user. */
export function nameScratch({ newId }: Pick<Machine, 'newId'>): string {
  return join(tmpdir(), `pipe-${newId.message()}`)
}

/** Returns the folder of files that belong to a session on disk. */
export function sessionScratch(session: string, { env, home }: Pick<Machine, 'env' | 'home'>): string {
  return join(findDirectories(env, home).sessions, `${session}.files`)
}

/** Removes the folder if it exists. */
export async function removeScratch(path: string): Promise<void> {
  if (existsSync(path)) await promises().rm(path, { recursive: true, force: true })
}
