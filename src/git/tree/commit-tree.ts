import type { Shadow } from '../shadow.ts'
import { identity } from '../worktrees/work-refs.ts'

interface NewCommit {
  readonly tree: string
  readonly parents?: readonly string[]
  readonly message: string
}

/** Creates a commit in the name of pipe. Returns its id. */
export async function commitTree(
  shadow: Shadow,
  { tree, parents = [], message }: NewCommit,
): Promise<string> {
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', message]
  return (await shadow.git(args, { env: identity })).trim()
}

/** The id of a commit's tree. */
export async function treeOf(shadow: Shadow, commit: string): Promise<string> {
  return (await shadow.git(['rev-parse', '--verify', `${commit}^{tree}`])).trim()
}

/** The paths of all files in a commit. */
export async function pathsIn(shadow: Shadow, commit: string): Promise<readonly string[]> {
  const listed = await shadow.git(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit])
  return listed.split('\0').filter(Boolean)
}
