import { join } from 'node:path'
import type { Paths } from './paths/paths.ts'
import { mostNames } from './walked-files.ts'

/**
 * Lists all that lies below a folder, relative to it, links not followed. Empty for a file or nothing. `undefined` if there are more
 * than 20,000 entries.
 */
export async function namesBelow(folder: string, paths: Paths): Promise<readonly string[] | undefined> {
  const names: string[] = []
  const folders = ['']
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const entries = await paths.list(join(folder, at), mostNames - names.length + 1)
    for (const { name, isFolder, isLink } of entries) {
      names.push(join(at, name))
      if (isFolder && !isLink) folders.push(join(at, name))
    }
    if (names.length > mostNames) return undefined
  }
  return names
}
