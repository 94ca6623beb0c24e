import { basename, dirname, join, resolve } from 'node:path'
import { look } from '../../files/look.ts'
import { readTextStart } from '../text-start.ts'
import { holds, realPathOf } from './project-root.ts'

/**
 * Returns the path that the worktrees of one repository have in common: the root of the main one; below a bare repository, its
 * folder of worktrees with a slash at the end, which is the real path of no folder. Any other root is returned as it is.
 *
 * A `.git` file may come from anybody, so it counts only if the repository names this very folder as its worktree. The home folder
 * shares nothing, as in `trustRoot`.
 */
export function mainRoot(root: string, home: string): string {
  const own = worktreeFolder(root)
  if (own === undefined || basename(dirname(own)) !== 'worktrees') return root
  const common = dirname(dirname(own))
  const main = dirname(common)
  if (basename(common) !== '.git') return `${join(common, 'worktrees')}/`
  return holds(main, home) ? root : main
}

/** Names the folders that share this root. */
export function worktreesOf(shared: string): string {
  return shared.endsWith('/') ? `all worktrees in ${shared}` : `${shared} and all its worktrees`
}

/** Returns the real path of the folder in the repository that names `root` as its worktree, and that the `.git` file of `root` names. */
function worktreeFolder(root: string): string | undefined {
  const git = join(root, '.git')
  const named = pathIn(git, /^gitdir: (.+)$/)
  const own = named && realPathOf(resolve(root, named))
  const back = own && pathIn(join(own, 'gitdir'), /^(.+)$/)
  if (own === undefined || back === undefined) return undefined
  const place = resolve(own, back)
  // The entry itself must be here: a link to the `.git` file of a worktree is no worktree.
  return basename(place) === '.git' && realPathOf(dirname(place)) === realPathOf(root) ? own : undefined
}

/** Longest file that names a path. */
const mostBytes = 8 * 1024

/** Reads the path that a file of git consists of. Follows no link. */
function pathIn(file: string, pattern: RegExp): string | undefined {
  if (look(file)?.isFile() !== true) return undefined
  try {
    const { text = '', isWhole = false } = readTextStart(file, mostBytes) ?? {}
    return isWhole ? pattern.exec(text.replace(/\r?\n$/, ''))?.[1] : undefined
  } catch {
    return undefined
  }
}
