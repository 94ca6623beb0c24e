import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { throwIfBug } from '../files/system-error.ts'

/** No folder made by hand has more entries, and git's object store is not searched. */
const mostEntries = 1_000

/**
 * Symlinks directly in a protected folder and in its subfolders; of a repository's subfolders, only in `hooks`. Their targets
 * also decide what runs. Empty if there is no such folder.
 */
export function linksIn(folder: string): readonly string[] {
  const entries = entriesOf(folder)
  const isRepository = entries.some(({ name }) => name === 'HEAD')
  const inner = entries.filter((one) => one.isDirectory() && (!isRepository || one.name === 'hooks'))
  const subfolders = inner.map(({ name }) => join(folder, name))
  const deeper = subfolders.flatMap((subfolder) => linksAmong(entriesOf(subfolder), subfolder))
  return [...linksAmong(entries, folder), ...deeper].slice(0, mostEntries)
}

function linksAmong(entries: readonly Dirent[], folder: string): readonly string[] {
  return entries.flatMap((entry) => (entry.isSymbolicLink() ? [join(folder, entry.name)] : []))
}

/** The first entries of a folder; none if it cannot be read. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).slice(0, mostEntries)
  } catch (error) {
    throwIfBug(error)
    return []
  }
}
