import { accessSync, constants, statSync } from 'node:fs'
import { findRoot } from '../../config/trust/project-root.ts'
import { isWithin } from '../../machine/path.ts'
import { absoluteEntries } from '../../process/search-path.ts'
import { systemPath } from '../../process/system-path.ts'
import type { Machine } from '../machine.ts'

/**
 * Lists the project's folders: the working folder, added ones, and the repository unless it contains the home folder. They may hold
 * untrusted files, so pipe runs no helper program from there. Folders of the system are none of them.
 */
export function projectFolders({
  cwd,
  added = [],
  home,
}: Pick<Machine, 'cwd' | 'added' | 'home'>): readonly string[] {
  const root = findRoot(cwd, ['.git'])
  return [...(isWithin(home, root) ? [] : [root]), cwd, ...added].filter((folder) => !isOfSystem(folder))
}

/** Whether a folder holds the system's programs, or is one of root in which this user cannot write. */
function isOfSystem(folder: string): boolean {
  if (absoluteEntries(systemPath).some((entry) => isWithin(entry, folder))) return true
  try {
    if (statSync(folder).uid !== 0) return false
    accessSync(folder, constants.W_OK)
    return false
  } catch {
    return true
  }
}
