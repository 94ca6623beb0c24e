import { PipeError } from '../../error.ts'
import type { Shadow } from '../shadow.ts'
import { commitTree } from '../tree/commit-tree.ts'

interface Merging {
  /** Trees, or commits whose trees count. */
  readonly base: string
  readonly ours: string
  readonly theirs: string
}

interface MergedTree {
  readonly tree: string
  /** Paths with changes on both sides that do not fit together. The tree then holds them with markers. */
  readonly conflicts: readonly string[]
}

/** Our merges bend to no setting of a user: files added to a renamed folder stay where they were added. */
const settings = ['merge.directoryRenames=false', 'merge.renames=true', 'merge.renormalize=false']

/** Merges two changed trees. Throws `tool` if git is older than 2.38. */
export async function mergeTrees(shadow: Shadow, { base, ours, theirs }: Merging): Promise<MergedTree> {
  if (!(await shadow.isAtLeast(38)))
    throw new PipeError(
      'tool',
      'merging needs git 2.38 or newer; install that, or apply the diff with git apply',
    )
  const commit = (tree: string, parents: readonly string[]) =>
    commitTree(shadow, { tree: `${tree}^{tree}`, parents, message: 'merge' })
  const root = await commit(base, [])
  const sides = [await commit(ours, [root]), await commit(theirs, [root])]
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ...sides]
  const said = await shadow.git(args, { settings, goodExits: [0, 1] })
  const [tree = '', ...conflicts] = said.split('\0').filter(Boolean)
  return { tree, conflicts: [...new Set(conflicts)].sort() }
}
