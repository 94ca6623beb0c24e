import { pairs } from '../records.ts'
import type { Shadow } from '../shadow.ts'
import { pathBatches } from './index-update.ts'

/** A file in a tree: its mode and the id of its content. */
interface TreeFile {
  /** `100644`, `100755` if executable, `120000` for a symbolic link. */
  readonly mode: string
  readonly id: string
}

/** The change of one path between two trees. */
export interface TreeChange {
  readonly path: string
  /** Absent if there was no such file. */
  readonly old: TreeFile | undefined
  readonly new: TreeFile | undefined
}

/** The paths that differ between two trees or commits, sorted. */
export async function diffTrees(
  shadow: Shadow,
  [from, to]: readonly [from: string, to: string],
): Promise<readonly TreeChange[]> {
  const output = await shadow.git(['diff-tree', '-r', '-z', '--raw', '--no-renames', from, to])
  return pairs(output).map(([status, path]) => {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = status.slice(1).split(' ')
    return { path, old: file(oldMode, oldId), new: file(newMode, newId) }
  })
}

/** These paths of a tree as changes that keep the content. Leaves out links and paths that the tree does not have. */
export async function keptFiles(
  shadow: Shadow,
  tree: string,
  paths: readonly string[],
): Promise<readonly TreeChange[]> {
  const kept: TreeChange[] = []
  for (const batch of pathBatches(paths)) {
    const listed = await shadow.git(['ls-tree', '-z', tree, '--', ...batch], {
      env: { GIT_LITERAL_PATHSPECS: '1' },
    })
    for (const entry of listed.split('\0')) {
      const [, mode, id, path] = /^(100\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? []
      if (mode === undefined || id === undefined || path === undefined) continue
      kept.push({ path, old: { mode, id }, new: { mode, id } })
    }
  }
  return kept
}

interface Reverting {
  /** The files as they are. */
  readonly now: string
  /** After a change that may have been carried out in part. */
  readonly done: string
  /** Before it. */
  readonly undone: string
}

/** The changes that lead back to before a change, for those paths where it was carried out. */
export async function findReverted(
  shadow: Shadow,
  { now, done, undone }: Reverting,
): Promise<readonly TreeChange[]> {
  const moved = new Set((await diffTrees(shadow, [done, now])).map(({ path }) => path))
  const changes = await diffTrees(shadow, [done, undone])
  return changes.filter(({ path }) => !moved.has(path))
}

/** Whether both are equal, or both absent. */
export function sameFile(a: TreeFile | undefined, b: TreeFile | undefined): boolean {
  return a?.mode === b?.mode && a?.id === b?.id
}

function file(mode: string, id: string): TreeFile | undefined {
  return mode === '000000' ? undefined : { mode, id }
}
