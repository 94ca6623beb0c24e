import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** No folder made by hand has more entries, and git's object store is not searched. */
const mostEntries = 1_000

/**
 * Symlinks directly in a protected folder and in its subfolders; of a repository's subfolders, only in `hooks`. Their targets
 * also decide what runs. Empty if there is no such folder.
 */
export function linksIn(folder: string): readonly string[] {
  const entries = list(folder)
  const isRepository = entries.some(({ name }) => name === 'HEAD')
  const inner = entries.filter((one) => one.isDirectory() && (!isRepository || one.name === 'hooks'))
  const all = [folder, ...inner.map(({ name }) => join(folder, name))].flatMap((one) =>
    (one === folder ? entries : list(one)).flatMap((entry) =>
      entry.isSymbolicLink() ? [join(one, entry.name)] : [],
    ),
  )
  return all.slice(0, mostEntries)
}

function list(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).slice(0, mostEntries)
  } catch {
    return []
  }
}
