import { pairs } from './records.ts'
import type { Shadow } from './shadow.ts'

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

/** Whether both are equal, or both absent. */
export function sameFile(a: TreeFile | undefined, b: TreeFile | undefined): boolean {
  return a?.mode === b?.mode && a?.id === b?.id
}

function file(mode: string, id: string): TreeFile | undefined {
  return mode === '000000' ? undefined : { mode, id }
}
