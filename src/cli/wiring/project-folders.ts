import { findRoot } from '../../config/project-root.ts'
import { isWithin } from '../../text/path.ts'
import type { Machine } from '../machine.ts'

/**
 * Lists the project's folders: the working folder, added ones, and the repository unless it contains the home folder. They may hold
 * untrusted files, so pipe runs no helper program from there.
 */
export function projectFolders({
  cwd,
  added = [],
  home,
}: Pick<Machine, 'cwd' | 'added' | 'home'>): readonly string[] {
  const root = findRoot(cwd, ['.git'])
  return [...(isWithin(home, root) ? [] : [root]), cwd, ...added]
}
